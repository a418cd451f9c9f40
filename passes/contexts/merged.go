package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// endedWith returns the context at whose end the cancel function that c returns is called: it is given to context.AfterFunc
// with that context, or called by a literal that waits for that context's Done. Nil when there is none.
func (r *Result) endedWith(c *ssa.Call) ssa.Value {
	for _, ref := range *c.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == 1 {
			return r.calledAtEndOf(x, 0)
		}
	}
	return nil
}

func (r *Result) calledAtEndOf(cancel ssa.Value, depth int) ssa.Value {
	if cancel.Referrers() == nil || depth > 3 {
		return nil
	}
	for _, ref := range *cancel.Referrers() {
		var with ssa.Value
		switch ref := ref.(type) {
		case ssa.CallInstruction:
			with = afterFuncOf(ref, cancel)
		case *ssa.MakeClosure:
			with = r.awaitedIn(ref)
		case *ssa.Store:
			if a, ok := ref.Addr.(*ssa.Alloc); ok && ref.Val == cancel {
				with = r.calledAtEndOf(a, depth+1)
			}
		case *ssa.UnOp, *ssa.ChangeType, *ssa.MakeInterface:
			with = r.calledAtEndOf(ref.(ssa.Value), depth+1)
		}
		if with != nil {
			return with
		}
	}
	return nil
}

// afterFuncOf returns the context of a context.AfterFunc that is given cancel.
func afterFuncOf(c ssa.CallInstruction, cancel ssa.Value) ssa.Value {
	fn := c.Common().StaticCallee()
	if fn == nil || len(c.Common().Args) != 2 || c.Common().Args[1] != cancel {
		return nil
	}
	if obj, ok := fn.Object().(*types.Func); ok && typeset.FullName(obj) == "context.AfterFunc" {
		return c.Common().Args[0]
	}
	return nil
}

// awaitedIn returns the context whose Done a goroutine's or callback's literal waits for.
func (r *Result) awaitedIn(mc *ssa.MakeClosure) ssa.Value {
	for _, ref := range *mc.Referrers() {
		if c, ok := ref.(ssa.CallInstruction); ok {
			if with := afterFuncOf(c, mc); with != nil {
				return with
			}
		}
	}
	var with ssa.Value
	for in := range ssawalk.Instrs(mc.Fn.(*ssa.Function)) {
		if c, ok := in.(*ssa.Call); ok && c.Call.IsInvoke() && c.Call.Method.Name() == "Done" && typeset.IsContext(c.Call.Value.Type()) {
			if r.Origins(c.Call.Value).Inherited() {
				with = c.Call.Value
			}
		}
	}
	return with
}
