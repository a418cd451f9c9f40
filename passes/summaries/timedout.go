package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/loops"
)

// afterTimer reports whether a call runs after a wait that a timer ends at the latest: a select that lists one, also in a helper, or a
// receive of what a literal given to time.AfterFunc sends. What is closed there has held up nobody for longer, as in the old
// tls.DialWithDialer. A deferred call runs after all waits of its function.
func (r *Result) afterTimer(c ssa.CallInstruction) bool {
	_, deferred := c.(*ssa.Defer)
	after := func(in ssa.Instruction) bool { return deferred || ssawalk.Before(in, c) }
	for _, w := range r.ops.Waits(c.Parent()) {
		if after(w.Instr) && r.endedByTimer(w) {
			return true
		}
	}
	for helper := range ssawalk.Calls(c.Parent()) {
		fn := helper.Common().StaticCallee()
		if fn != nil && after(helper) && slices.ContainsFunc(r.ops.Waits(fn), r.endedByTimer) {
			return true
		}
	}
	return false
}

func (r *Result) endedByTimer(w *channels.Wait) bool { return slices.ContainsFunc(w.Cases, r.byTimer) }

// watches reports whether a call is in a goroutine of its own, after the tick of a clock: a watchdog, which ends for good what has been idle.
func (r *Result) watches(c ssa.CallInstruction) bool {
	if !r.flow.loose(c.Parent()) {
		return false
	}
	for _, w := range r.ops.Waits(c.Parent()) {
		if ssawalk.Before(w.Instr, c) && slices.ContainsFunc(w.Cases, ofClock) {
			return true
		}
	}
	return false
}

// ofClock reports whether a case of a wait, or its one channel, is a timer's or ticker's.
func ofClock(op *channels.Op) bool {
	timer, ticker := loops.Ticks(op.On)
	return op.Kind != channels.Send && (timer || ticker)
}

// byTimer reports whether a timer ends a wait by one of its cases.
func (r *Result) byTimer(op *channels.Op) bool {
	if op.Kind != channels.Receive {
		return false
	}
	if timer, _ := loops.Ticks(op.On); timer {
		return true
	}
	return op.Chan != nil && slices.ContainsFunc(op.Chan.Ops, func(o *channels.Op) bool {
		return (o.Kind == channels.Send || o.Kind == channels.Close) && r.runByTimer(o.Fn)
	})
}

// elsewhere reports whether a call is in another goroutine than the one that ends what it waits for: in another literal of the same function,
// or in a literal of the function that ends it.
func elsewhere(wait, end ssa.CallInstruction) bool {
	return wait.Parent() != end.Parent() && ssawalk.Outermost(wait.Parent()) == ssawalk.Outermost(end.Parent())
}
