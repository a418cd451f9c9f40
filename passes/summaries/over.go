package summaries

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/loops"
)

// What tells that a context is over: the case of a select on its Done; its Err or Cause, when that is not nil or is found to be an error
// by name; what a function returns that fails for nothing else; and to be run by context.AfterFunc, or made where it was over already.

// overOn returns the context that is over where pred goes on to b: the case of a select on its Done, its Err being not nil.
func (r *Result) overOn(pred, b *ssa.BasicBlock) ssa.Value {
	in, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
	if !ok || pred.Succs[0] == pred.Succs[1] {
		return nil
	}
	cond, taken := loops.Plain(in.Cond, pred.Succs[0] == b)
	if c, ok := cond.(*ssa.Call); ok {
		if ctx := r.answersOver(c, taken); ctx != nil {
			return ctx
		}
		if !taken || !calledIs(c, "errors.Is") || ssawalk.IsNil(c.Call.Args[1]) {
			return nil
		}
		return r.saidBy(c.Call.Args[0], 0) // it is some error
	}
	bin, ok := cond.(*ssa.BinOp)
	if !ok {
		return nil
	}
	if x, ok := bin.X.(*ssa.Extract); ok && x.Index == 0 && bin.Op == token.EQL && taken {
		if sel, ok := x.Tuple.(*ssa.Select); ok {
			return selected(sel, bin.Y)
		}
	}
	if err, whenNil := loops.NilTest(bin); err != nil {
		if whenNil == taken {
			return r.overAfterNil(err)
		}
		return r.saidBy(err, 0)
	}
	if isEndVariable(bin.Y) && (bin.Op == token.EQL) == taken {
		return r.saidBy(bin.X, 0)
	}
	return nil
}

// selected returns the context whose Done is the case of a select with that number, or nil.
func selected(sel *ssa.Select, number ssa.Value) ssa.Value {
	i, ok := number.(*ssa.Const)
	if !ok || i.Int64() < 0 || int(i.Int64()) >= len(sel.States) {
		return nil
	}
	if s := sel.States[i.Int64()]; s.Dir == types.RecvOnly {
		return doneOf(s.Chan)
	}
	return nil
}

// saidBy returns the context that is over when an error is not nil: it is that context's Err or Cause, or what a function of this
// package returns that fails for nothing else, such as one that pauses. Nil when the error may come from elsewhere.
func (r *Result) saidBy(err ssa.Value, depth int) ssa.Value {
	if x, ok := err.(*ssa.Extract); ok {
		call, ok := x.Tuple.(*ssa.Call)
		if !ok || errorOf(call) != ssa.Value(x) {
			return nil
		}
		return r.failsWith(call, depth)
	}
	call, ok := err.(*ssa.Call)
	if !ok {
		return nil
	}
	if isErrCall(call) {
		return onContext(&call.Call)
	}
	return r.failsWith(call, depth)
}

// failsWith returns the argument of a call whose end is the only reason for which the called function returns an error, or nil.
func (r *Result) failsWith(call *ssa.Call, depth int) ssa.Value {
	fn := call.Call.StaticCallee()
	if fn != nil && fn.Origin() != nil {
		fn = fn.Origin()
	}
	if fn == nil || r.sums[fn] == nil || depth > maxHelpers || !typeset.ReturnsError(fn.Signature) {
		return nil
	}
	var only *ssa.Parameter
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if !r.reasons(ret.Results[len(ret.Results)-1], &only, depth) {
			return nil
		}
	}
	if i := paramIndex(fn, only); only != nil && i >= 0 && i < len(call.Call.Args) {
		return call.Call.Args[i]
	}
	return nil
}

// reasons reports whether an error that is returned is nil, or tells the end of one context parameter, always the same.
func (r *Result) reasons(err ssa.Value, only **ssa.Parameter, depth int) bool {
	if ssawalk.IsNil(err) {
		return true
	}
	if phi, ok := err.(*ssa.Phi); ok {
		for _, e := range phi.Edges {
			if _, again := e.(*ssa.Phi); again || !r.reasons(e, only, depth) {
				return false
			}
		}
		return true
	}
	ctx := r.saidBy(err, depth+1)
	if ctx == nil {
		return false
	}
	p, ok := r.held(ctx).(*ssa.Parameter)
	if !ok || *only != nil && *only != p {
		return false
	}
	*only = p
	return true
}
