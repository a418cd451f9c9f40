package summaries

import (
	"github.com/doneby/doneby/passes/channels"
)

// taken reports whether what is sent is surely received: somebody who runs beside the send takes it on each way to its end, or
// takes all there is, and waits only for what ends in between.
func (d *deaf) taken(w *channels.Wait, op *channels.Op) bool {
	if op.Chan == nil {
		return false // nil, for ever
	}
	for _, p := range d.runners(w, op.Chan, channels.Receive, channels.Range) {
		if d.comes(p, op.Chan, channels.Receive, channels.Range) && !d.leavesLoop(p, op.Chan) {
			return true
		}
	}
	return false
}

// leavesLoop reports whether a runner receives in a loop that it can leave before the channel is closed: then something sent
// may stay.
func (d *deaf) leavesLoop(p runner, c *channels.Chan) bool {
	for _, op := range c.Ops {
		if op.Fn != p.fn || op.Kind != channels.Receive && op.Kind != channels.Range {
			continue
		}
		if l := channels.LoopOf(op.Instr.Block()); l != nil && l.Leaves() {
			return true
		}
	}
	return false
}
