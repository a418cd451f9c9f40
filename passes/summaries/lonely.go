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
	if w.Kind != channels.Receive || !typeset.IsSignalChan(w.On().On.Type()) || !r.older(w.On(), fn) {
		return // of a channel that is this call's, whose end is in sight
	}
	if !cancelsInherited(body, w.Instr) {
		return
	}
	wait := Wait{Name: r.deaf.span(w).text, Src: start.Pos(), In: fn}
	if r.overWithCall(fn, start) {
		r.addStart(c, r.verdict("orphan", "wait", wait, wait.Name, r.reach(fn)), fn, start)
		return
	}
	r.addStart(c, r.verdict("orphan", "lifetime", wait, "call", nil), fn, start)
}

// older reports whether a channel was there before the call of fn: a component keeps it, or all callers in sight ask something that they
// were given, or a variable of the package, for it.
func (r *Result) older(op *channels.Op, fn *ssa.Function) bool {
	if op.Chan == nil || op.Chan.Kept {
		return op.Chan != nil
	}
	p, ok := ssawalk.Source(op.On).(*ssa.Parameter)
	if !ok || p.Parent() != fn {
		return false
	}
	given, all := r.argsFor(p)
	for _, v := range given {
		asked, ok := ssawalk.Source(v).(*ssa.Call)
		if !ok || calleeName(asked) == "Done" || ownerOf(ssawalk.Resolve(asked).Recv) == nil {
			return false // made there, or the end of a context, which may be that of a call
		}
	}
	return all && len(given) > 0
}

// overWithCall reports whether the context that a goroutine of fn is there to cancel is surely over when some call returns that is made
// again and again: fn itself puts the cancel off to its end, or a caller that it hands the cancel to.
func (r *Result) overWithCall(fn *ssa.Function, start *ssa.Go) bool {
	for call := range ssawalk.Calls(fn) {
		if c, ok := call.(*ssa.Call); ok && r.derives(c) && defersCancel(c) {
			return r.oneOfMany(fn, start)
		}
	}
	for _, s := range r.callers[fn] {
		if c, ok := s.in.(*ssa.Call); ok && defersCancel(c) && r.oneOfMany(s.fn, s.in) {
			return true
		}
	}
	return false
}

// oneOfMany reports whether fn is called for something, not for the life of a component: it is told by a context until when, does not go
// round, and is not called once by its name or by what it asks first.
func (r *Result) oneOfMany(fn *ssa.Function, in ssa.Instruction) bool {
	for _, b := range fn.Blocks {
		if l := channels.LoopOf(b); l != nil && goesRound(l) {
			return false
		}
	}
	return toldUntilWhen(fn) && !r.startedOnce(fn, in)
}

// defersCancel reports whether the cancel that a call gives is put off to the end of its function.
func defersCancel(c *ssa.Call) bool {
	for _, ref := range *c.Referrers() {
		x, ok := ref.(*ssa.Extract)
		if !ok || !isCancelFunc(x.Type()) {
			continue
		}
		for _, use := range *x.Referrers() {
			if d, ok := use.(*ssa.Defer); ok && d.Call.Value == ssa.Value(x) {
				return true
			}
			if st, ok := use.(*ssa.Store); ok && st.Val == ssa.Value(x) && deferredFrom(st.Addr) {
				return true
			}
		}
	}
	return false
}

// deferredFrom reports whether what a variable holds is called at the end of its function.
func deferredFrom(addr ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		load, ok := ref.(*ssa.UnOp)
		if !ok {
			continue
		}
		for _, use := range *load.Referrers() {
			if d, ok := use.(*ssa.Defer); ok && d.Call.Value == ssa.Value(load) {
				return true
			}
		}
	}
	return false
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
