package summaries

import (
	"go/ast"
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// answersOver returns the context argument of a call that is over when the call answers so: the function, which says yes or no, returns
// that only where it has found its parameter to be over. Nil when there is none.
func (r *Result) answersOver(call *ssa.Call, answer bool) ssa.Value {
	fn := call.Call.StaticCallee()
	if fn != nil && fn.Origin() != nil {
		fn = fn.Origin()
	}
	if fn == nil || r.sums[fn] == nil || !onlyBool(fn.Signature) || r.asking[fn] {
		return nil // not in sight, or asked already: it calls itself
	}
	r.asking[fn] = true
	defer delete(r.asking, fn)
	for i, p := range fn.Params {
		if i < len(call.Call.Args) && typeset.IsContext(p.Type()) && r.answersWhenOver(fn, p, answer) {
			return call.Call.Args[i]
		}
	}
	return nil
}

// answersWhenOver reports whether fn gives an answer, and only where the context p is over.
func (r *Result) answersWhenOver(fn *ssa.Function, p *ssa.Parameter, answer bool) bool {
	ends, found := r.endsIn(fn), false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		said, ok := ret.Results[0].(*ssa.Const)
		switch {
		case !ok || said.Value == nil || said.Value.Kind() != constant.Bool:
			return false
		case constant.BoolVal(said.Value) != answer:
			continue
		case r.overBefore(ends, p, ret) == nil:
			return false
		}
		found = true
	}
	return found
}

// runsAfter returns the context at whose end a literal is run, when that is all that is done with it: it is given to context.AfterFunc.
func (r *Result) runsAfter(fn *ssa.Function) ssa.Value {
	if fn.Parent() == nil {
		return nil
	}
	var ctx ssa.Value
	for _, mc := range closures(fn) {
		for _, ref := range *mc.Referrers() {
			if _, debug := ref.(*ssa.DebugRef); debug {
				continue
			}
			c, ok := ref.(*ssa.Call)
			if !ok || !calledIs(c, "context.AfterFunc") || ctx != nil {
				return nil
			}
			ctx = c.Call.Args[0]
		}
	}
	return ctx
}

// overWhenMade returns the place at which the context v of a literal had ended before the literal was made, or nil.
func (r *Result) overWhenMade(fn *ssa.Function, v ssa.Value) *end {
	v = r.held(v)
	for range maxHelpers {
		above := fn.Parent()
		if above == nil || v.Parent() == fn {
			return nil
		}
		made := closures(fn)
		if len(made) != 1 {
			return nil
		}
		in, ok := made[0].(ssa.Instruction)
		if !ok {
			return nil
		}
		if e := r.overBefore(r.endsIn(above), v, in); e != nil {
			return e
		}
		fn = above
	}
	return nil
}

// ownLimit reports whether the context that has ended is one on which its function has put a timeout or deadline itself.
func (r *Result) ownLimit(e *end) bool {
	x, ok := r.held(e.ctx).(*ssa.Extract)
	if !ok {
		return false
	}
	call, ok := x.Tuple.(*ssa.Call)
	return ok && x.Index == 0 && r.caps(call)
}

// wantsTime reports whether nobody can mean to call something only to tell it that its context is over: that is the context of a group that is
// done with, or there is a limit which says that the call was to have time.
func (r *Result) wantsTime(by *end, ctx ssa.Value, e effect) bool {
	return by.ofGroup() || by.perhaps || r.ownLimit(by) || r.limitedAfter(by, ctx, e)
}

// limitedAfter reports whether a timeout or deadline is set on the context when it is over already: in what is called with it, or here
// where it is derived.
func (r *Result) limitedAfter(by *end, ctx ssa.Value, e effect) bool {
	if e.Own {
		return true
	}
	x, ok := r.held(ctx).(*ssa.Extract)
	if !ok {
		return false
	}
	call, ok := x.Tuple.(*ssa.Call)
	return ok && x.Index == 0 && r.caps(call) && call.Parent() == by.in.Parent() && by.before(call)
}

// written is the name of the variable that the source gives to a call as the argument v, or "".
func (r *Result) written(c ssa.CallInstruction, v ssa.Value) string {
	call, first := r.calls[c.Common().Pos()], 0
	if call == nil {
		return ""
	}
	if sig := c.Common().Signature(); sig.Recv() != nil && !c.Common().IsInvoke() {
		first = 1
	}
	for i, a := range c.Common().Args {
		if a != v || i < first || i-first >= len(call.Args) {
			continue
		}
		if id, ok := ast.Unparen(call.Args[i-first]).(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}
