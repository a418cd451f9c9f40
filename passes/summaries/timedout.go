package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// afterTimer reports whether a call runs after a wait that a timer ends at the latest: a select that lists one, or a receive of what a
// literal given to time.AfterFunc sends. What is closed there has held up nobody for longer, as in the old tls.DialWithDialer. A deferred
// call runs after all waits of its function.
func (r *Result) afterTimer(c ssa.CallInstruction) bool {
	_, deferred := c.(*ssa.Defer)
	for _, w := range r.ops.Waits(c.Parent()) {
		if (deferred || ssawalk.Before(w.Instr, c)) && slices.ContainsFunc(w.Cases, byTimer) {
			return true
		}
	}
	return false
}

// byTimer reports whether a timer ends a wait by one of its cases.
func byTimer(op *channels.Op) bool {
	if op.Kind != channels.Receive {
		return false
	}
	if timer, _ := ticks(op.On); timer {
		return true
	}
	return op.Chan != nil && slices.ContainsFunc(op.Chan.Ops, func(o *channels.Op) bool {
		return (o.Kind == channels.Send || o.Kind == channels.Close) && runByTimer(o.Fn)
	})
}

// elsewhere reports whether a call is in another goroutine than the one that ends what it waits for: in another literal of the same function,
// or in a literal of the function that ends it.
func elsewhere(wait, end ssa.CallInstruction) bool {
	return wait.Parent() != end.Parent() && ssawalk.Outermost(wait.Parent()) == ssawalk.Outermost(end.Parent())
}
