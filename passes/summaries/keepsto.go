package summaries

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// A literal that others run later may run when the context around it is long over, and then that is none of its business. One that gives
// this context to what it calls, or asks it, has made it its own: whenever it runs, it runs for that context.

// keepsTo reports whether a literal makes a context of the functions around it its own.
func (d *deaf) keepsTo(lit *ssa.Function) bool {
	for _, v := range lit.FreeVars {
		switch t := typeset.Deref(v.Type()); {
		case typeset.IsContext(t):
			if d.heedsVariable(v) {
				return true
			}
		case d.r.ctx.Carries(t) || d.r.ctx.Carries(v.Type()):
			if d.handsOn(v) {
				return true
			}
		}
	}
	return false
}

// givenKeeper reports whether a call is given such a literal: what it repeats is under the context, also in a function that ends something
// and is handed a context for it.
func (r *Result) givenKeeper(at ssa.Instruction) bool {
	call, ok := at.(*ssa.Call)
	if !ok || typeset.ContextParam(ssawalk.Outermost(call.Parent()).Signature) < 0 {
		return false
	}
	for _, a := range call.Call.Args {
		for _, t := range r.ctx.Funcs(a) {
			if t.Fn != nil && t.Fn.Parent() == call.Parent() && r.deaf.keepsTo(t.Fn) {
				return true
			}
		}
	}
	return false
}

// heeds reports whether more is done with a context than to log by it.
func (d *deaf) heeds(ctx ssa.Value) bool {
	to := &aside{r: d.r, seen: make(map[ssa.Value]bool)}
	return !to.only(ctx, 0)
}

// heedsVariable is the same for a captured variable that holds an inherited context.
func (d *deaf) heedsVariable(v *ssa.FreeVar) bool {
	for _, ref := range *v.Referrers() {
		load, ok := ref.(*ssa.UnOp)
		if ok && load.Op == token.MUL && d.r.ctx.Origins(load).Inherited() && d.heeds(load) {
			return true
		}
		if mc, ok := ref.(*ssa.MakeClosure); ok {
			if in := ssawalk.FreeVar(mc, v); in != nil && d.heedsVariable(in) {
				return true
			}
		}
	}
	return false
}

// handsOn reports whether a captured value that has a context is given whole to some call, or asked for its context.
func (d *deaf) handsOn(v *ssa.FreeVar) bool {
	loads := []ssa.Value{v}
	for _, ref := range *v.Referrers() {
		if load, ok := ref.(*ssa.UnOp); ok && load.Op == token.MUL {
			loads = append(loads, load)
		}
	}
	for c := range ssawalk.Calls(v.Parent()) {
		if asked := ssawalk.Resolve(c); calleeName(c) == "Context" && asked.Recv != nil && slices.Contains(loads, rootOf(asked.Recv)) {
			return true
		}
		for _, a := range c.Common().Args {
			if slices.Contains(loads, a) && c.Common().StaticCallee() == nil {
				return true
			}
		}
	}
	return false
}

// rootOf returns what an embedded part is a part of.
func rootOf(v ssa.Value) ssa.Value {
	for range maxFields {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.UnOp:
			if _, part := x.X.(*ssa.FieldAddr); !part {
				return v
			}
			v = x.X
		default:
			return v
		}
	}
	return v
}
