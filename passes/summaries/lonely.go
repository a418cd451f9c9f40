package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
)

// A goroutine that is only there to cancel a context when something else is over has nothing to do once the context is over by itself. One
// that waits for a component's end alone stays until then, and there is one for each context.
//
//	ctx, cancel := context.WithCancel(ctx)
//	go func() {
//		<-c.closed
//		cancel()
//	}()

// judgeCanceller judges such a goroutine.
func (r *Result) judgeCanceller(c *court, fn *ssa.Function, start *ssa.Go) {
	body, _ := ssawalk.Function(start.Call.Value)
	if body == nil || body.Parent() != fn || len(r.reach(fn)) == 0 || len(body.Blocks) != 1 || len(r.deaf.ops.Waits(body)) != 1 {
		return // of others; nothing to inherit; it does more than to wait and to cancel
	}
	w := r.deaf.ops.Waits(body)[0]
	if w.Kind != channels.Receive || !typeset.IsSignalChan(w.On().On.Type()) || w.On().Chan == nil || !w.On().Chan.Kept {
		return // of a channel that is this call's, whose end is in sight
	}
	if !cancelsInherited(body, w.Instr) {
		return
	}
	v := r.verdict("orphan", "lifetime", Wait{Name: r.deaf.span(w).text, Src: start.Pos(), In: fn}, "call", nil)
	r.addStart(c, v, fn, start)
}

// cancelsInherited reports whether all that a literal calls, after a wait, is the cancel of a context.
func cancelsInherited(body *ssa.Function, after ssa.Instruction) bool {
	found := false
	for call := range ssawalk.Calls(body) {
		if call == after {
			continue
		}
		if !isCancelFunc(call.Common().Value.Type()) {
			return false
		}
		found = true
	}
	return found
}
