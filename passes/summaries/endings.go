package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// ends reports whether a runner waits only for what ends, the channel c aside: what is asked about.
func (d *deaf) ends(p runner, c *channels.Chan) bool {
	return d.endsBelow(p, c, make(map[*ssa.Function]bool))
}

func (d *deaf) endsBelow(p runner, c *channels.Chan, seen map[*ssa.Function]bool) bool {
	if !d.touch[p.fn] || seen[p.fn] {
		return true
	}
	seen[p.fn] = true
	for _, w := range d.in[p.fn] {
		if d.lasts(w, c) && p.asked(w.Instr) && !p.drained(w) {
			return false
		}
	}
	for call := range ssawalk.Calls(p.fn) {
		if _, isGo := call.(*ssa.Go); isGo || !p.asked(call) {
			continue
		}
		if !d.outsideEnds(p.fn, call) || len(d.r.reach(p.fn)) == 0 && !d.callEnds(p, call, c, seen) {
			return false
		}
	}
	return true
}

// drained reports whether a wait goes through a channel that is closed by then.
func (p runner) drained(w *channels.Wait) bool {
	op := w.On()
	return op != nil && (w.Kind == channels.Range || w.Kind == channels.Receive) && slices.Contains(p.over, op.Chan)
}

// lasts reports whether a wait is one more reason why what waits for its function does not end: not when it is about c, or is
// told by itself. Why somebody waits for a condition variable, and how long, cannot be told.
func (d *deaf) lasts(w *channels.Wait, c *channels.Chan) bool {
	return !d.ended[w] && !d.told[w] && !on(w, c) && w.Kind != channels.Cond
}

// callEnds reports whether what a call runs waits only for what ends; of a call that does what the runner is asked for, only
// until it has done so.
func (d *deaf) callEnds(p runner, call ssa.CallInstruction, c *channels.Chan, seen map[*ssa.Function]bool) bool {
	targets, _ := d.r.ctx.Targets(call.Common())
	for _, t := range targets {
		if t.Fn == nil {
			continue
		}
		below := runner{fn: t.Fn, over: p.over}
		if slices.Contains(p.until, ssa.Instruction(call)) {
			_, below.until = d.certain(below, c, p.does, 0)
			below.does = p.does
		}
		if !d.endsBelow(below, c, seen) {
			return false
		}
	}
	return true
}

func on(w *channels.Wait, c *channels.Chan) bool {
	for _, op := range w.Cases {
		if op.Chan == c {
			return true
		}
	}
	return false
}
