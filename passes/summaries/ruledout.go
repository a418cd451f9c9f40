package summaries

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// ruledOut reports whether a callee of this package gets to a wait only by a branch on one of its parameters, and this call
// gives a constant for it that takes the other branch; or passes it on to a function of which that holds; or by an option.
func (r *Result) ruledOut(t contexts.Target, w Wait) bool {
	if !w.Deaf && !slices.ContainsFunc(t.Args, isConst) {
		return false // what calls further down give was looked at there
	}
	at := r.stepOf(t.Fn, w)
	if at == nil {
		return false
	}
	if c, ok := at.(ssa.CallInstruction); ok && len(w.Path) > 0 {
		next := w
		next.Path = w.Path[1:]
		targets, _ := r.ctx.Targets(c.Common())
		for _, u := range targets {
			if u.Fn != nil && u.Fn != t.Fn && len(targets) == 1 && r.ruledOut(passOn(u, t), next) {
				return true
			}
		}
	}
	for cond, taken := range conditions(at.Block()) {
		if yes, known := decided(cond, t); known && yes != taken || taken && w.Deaf && option(cond) {
			return true
		}
	}
	return false
}

func isConst(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}

// option reports whether a branch asks a flag that users of the package may set: whether those have done so who come this way
// cannot be told.
func option(cond ssa.Value) bool {
	load, ok := cond.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	f, _ := ssawalk.Field(load)
	return f != nil && f.Exported()
}

// stepOf returns the instruction in fn that waits, or that calls what does; nil when it cannot be found.
func (r *Result) stepOf(fn *ssa.Function, w Wait) ssa.Instruction {
	if len(w.Path) > 0 {
		if c := r.callAt(fn, w.Path[0].Pos); c != nil {
			return c
		}
		return nil
	}
	if r.deaf == nil || w.In != fn {
		return nil
	}
	if at := r.deaf.waitAt(fn, w.Src); at != nil {
		return at.Instr
	}
	return nil
}

// decided returns which way a branch on a parameter goes for what a call gives for it, where that is a constant.
func decided(cond ssa.Value, t contexts.Target) (yes, known bool) {
	switch x := cond.(type) {
	case *ssa.Parameter:
		if c := given(x, t); c != nil && c.Value != nil && c.Value.Kind() == constant.Bool {
			return constant.BoolVal(c.Value), true
		}
	case *ssa.BinOp:
		p, ok := x.X.(*ssa.Parameter)
		limit, ok2 := x.Y.(*ssa.Const)
		if !ok || !ok2 {
			return false, false
		}
		if c := given(p, t); c != nil {
			return compared(c, x.Op, limit)
		}
	}
	return false, false
}

// compared returns how two constants compare; nil is only ever equal to nil.
func compared(a *ssa.Const, op token.Token, b *ssa.Const) (yes, known bool) {
	if a.Value != nil && b.Value != nil {
		switch op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return constant.Compare(a.Value, op, b.Value), true
		}
	}
	if a.Value == nil && b.Value == nil && (op == token.EQL || op == token.NEQ) {
		return op == token.EQL, true
	}
	return false, false
}

// given returns the constant that a call gives for a parameter, or nil.
func given(p *ssa.Parameter, t contexts.Target) *ssa.Const {
	c, _ := gives(t, p).(*ssa.Const)
	return c
}

// passOn returns the target of a call in t's function with what t gives in place of that function's parameters.
func passOn(u, t contexts.Target) contexts.Target {
	args := make([]ssa.Value, len(u.Args))
	for i, a := range u.Args {
		args[i] = a
		if p, ok := a.(*ssa.Parameter); ok {
			args[i] = nil
			if c := given(p, t); c != nil {
				args[i] = c
			}
		}
	}
	u.Args = args
	return u
}
