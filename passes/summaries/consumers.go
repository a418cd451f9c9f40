package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/passes/channels"
)

// taken reports whether what is sent is surely received: somebody who runs beside the send takes it on each way to its end, or
// takes all there is, and waits only for what ends in between.
func (d *deaf) taken(w *channels.Wait, op *channels.Op) bool {
	if op.Chan == nil {
		return false // nil, for ever
	}
	for _, p := range d.runners(w, op.Chan, channels.Receive, channels.Range) {
		if d.comes(p, op.Chan, channels.Receive, channels.Range) && !d.leavesLoop(p, op.Chan) && !takesOne(p, op.Chan) || d.stays(p, op.Chan) {
			return true
		}
	}
	return false
}

// leavesLoop reports whether a runner receives in a loop that it can leave before the channel is closed: then something sent
// may stay. Of a single send nothing stays when the runner leaves because it has received it.
func (d *deaf) leavesLoop(p runner, c *channels.Chan) bool {
	once := d.sentOnce(c)
	for _, op := range c.Ops {
		if op.Fn != p.fn || op.Kind != channels.Receive && op.Kind != channels.Range {
			continue
		}
		l := channels.LoopOf(op.Instr.Block())
		if l != nil && l.Leaves() && !(once && op.Kind == channels.Receive && leavesByReceipt(l, op)) {
			return true
		}
	}
	return false
}

// sentOnce reports whether at most one thing is sent to a channel.
func (d *deaf) sentOnce(c *channels.Chan) bool {
	if len(c.Makes) != 1 || c.Open || d.needs(c) != 1 {
		return false
	}
	for _, o := range c.Ops {
		if o.Kind == channels.Send && !d.fits(o.Instr, c.Makes[0], c, 0) {
			return false
		}
	}
	return true
}

// leavesByReceipt reports whether control leaves a loop, otherwise than by its header, only where something was received by op.
func leavesByReceipt(l *channels.Loop, op *channels.Op) bool {
	arm := op.Instr
	if sel, ok := op.Instr.(*ssa.Select); ok {
		arm = caseStart(sel, op.On)
	}
	if arm == nil {
		return false
	}
	for b := range l.Blocks {
		for _, s := range b.Succs {
			if b != l.Header && !l.Blocks[s] && !leadsTo(s, arm.Block(), 0) {
				return false
			}
		}
	}
	return true
}

// leadsTo reports whether control goes from b only to what arm dominates, or panics: what chooses the case of a select may itself
// stand outside the loop.
func leadsTo(b, arm *ssa.BasicBlock, depth int) bool {
	if arm.Dominates(b) || channels.Panics(b) {
		return true
	}
	for _, s := range b.Succs {
		if depth > maxClimb || !leadsTo(s, arm, depth+1) {
			return false
		}
	}
	return len(b.Succs) > 0
}

// takesOne reports whether a runner starts in a loop what sends, and receives outside of any: of several sends it takes one.
func takesOne(p runner, c *channels.Chan) bool {
	if p.from == nil {
		return false
	}
	l := channels.LoopOf(p.from.Block())
	if l == nil {
		return false
	}
	for _, m := range c.Makes {
		if l.Blocks[m.Block()] {
			return false // a channel for each
		}
	}
	for _, op := range c.Ops {
		if op.Fn == p.fn && (op.Kind == channels.Range || op.Kind == channels.Receive && channels.LoopOf(op.Instr.Block()) != nil) {
			return false
		}
	}
	return true
}
