package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// paramCall says that a function calls one of its function parameters, and under which contexts.
type paramCall struct {
	param *ssa.Parameter
	args  []contexts.Set // by argument of the call; nil where it is no context
	async bool           // in a goroutine that nobody joins
}

// paramCalls returns the calls of its own function parameters that fn makes, in it or in the literals in it that it runs.
func (r *Result) paramCalls(fn *ssa.Function) []paramCall {
	var out []paramCall
	collect := func(g *ssa.Function, async bool) {
		for c := range ssawalk.Calls(g) {
			p := r.calledParam(c.Common().Value)
			if p == nil || p.Parent() != fn || c.Common().IsInvoke() {
				continue
			}
			_, isGo := c.(*ssa.Go)
			pc := paramCall{param: p, async: async || isGo && !r.flow.joined(g, c), args: make([]contexts.Set, len(c.Common().Args))}
			for i, a := range c.Common().Args {
				if r.ctx.Carries(a.Type()) {
					pc.args[i] = r.ctx.Origins(a)
				}
			}
			out = append(out, pc)
		}
	}
	collect(fn, false)
	for _, lit := range fn.AnonFuncs {
		if runs, async := r.runs(fn, lit); runs {
			collect(lit, async)
		}
	}
	return out
}

// runs reports whether fn runs a literal of its own, and whether in a goroutine that it does not join: it calls it, or gives
// it to something that does. A literal that is returned or stored is run by others.
func (r *Result) runs(fn, lit *ssa.Function) (runs, async bool) {
	for _, mc := range closures(lit) {
		for _, ref := range *mc.Referrers() {
			c, ok := ref.(ssa.CallInstruction)
			if !ok || c.Common().Value != mc && !r.runsArgument(c, mc) {
				continue
			}
			_, isGo := c.(*ssa.Go)
			return true, isGo && !r.flow.joined(fn, c)
		}
	}
	return false, false
}

// runsArgument reports whether the callee is known to run the function that it is given.
func (r *Result) runsArgument(c ssa.CallInstruction, f ssa.Value) bool {
	targets, _ := r.ctx.Targets(c.Common())
	for _, t := range targets {
		if row, ok := r.ctx.Row(t.Obj); ok {
			return row.Func.IsSet() && t.At(row.Func) == f && row.Verb != knowledge.Enters
		}
		if sum := r.sums[t.Fn]; t.Fn != nil && sum != nil {
			for _, pc := range sum.funcs {
				if i := paramIndex(t.Fn, pc.param); i >= 0 && i < len(t.Args) && t.Args[i] == f {
					return true
				}
			}
		}
	}
	return false
}

// calledParam returns the parameter that a called value is, seen through captures.
func (r *Result) calledParam(v ssa.Value) *ssa.Parameter {
	for range 4 {
		switch x := v.(type) {
		case *ssa.Parameter:
			return x
		case *ssa.ChangeType:
			v = x.X
		case *ssa.FreeVar:
			v = r.ctx.Captured(x)
		case *ssa.UnOp:
			if _, isField := x.X.(*ssa.FieldAddr); isField {
				return nil // kept: whoever calls it then is not given it
			}
			v = r.ctx.OnlyStored(x)
		default:
			return nil
		}
	}
	return nil
}

// ofParamCall is what the callee makes of a function that it is given at this call.
func (r *Result) ofParamCall(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, pc paramCall, name string) []effect {
	var given ssa.Value
	for i, p := range t.Fn.Params {
		if p == pc.param && i < len(t.Args) {
			given = t.Args[i]
		}
	}
	sets := make([]contexts.Set, len(pc.args))
	for i, s := range pc.args {
		for _, o := range s {
			if o.Kind == contexts.Param && o.Param.Parent() == t.Fn {
				sets[i] = sets[i].Join(r.argument(t, o.Param).Bounded(o.Bound))
				continue
			}
			sets[i] = sets[i].Join(contexts.Set{o})
		}
	}
	return unjoined(r.ofGiven(fn, c, given, sets, name), pc.async)
}

// unjoined marks effects as those of a goroutine that nobody joins.
func unjoined(effects []effect, async bool) []effect {
	for i := range effects {
		effects[i].Async = effects[i].Async || async
	}
	return effects
}

// ofGiven is a function value that is given to a callee and called by it under the contexts in sets.
func (r *Result) ofGiven(fn *ssa.Function, c ssa.CallInstruction, given ssa.Value, sets []contexts.Set, name string) []effect {
	var out []effect
	for _, f := range r.ctx.Funcs(given) {
		sum := r.read(f.Fn, fn)
		if sum == nil {
			continue
		}
		for _, w := range sum.waits.sorted() {
			step := name
			if f.Obj != nil {
				step = f.Obj.Name()
			}
			e := effect{Wait: w.through(step, c.Common().Pos()), call: c, fn: fn}
			if w.End == ByParam {
				e.set = givenSet(f, w.Param, sets)
			}
			out = append(out, e)
		}
	}
	return out
}

// givenSet returns what a function value's parameter is when it is called with sets, its bound receiver aside.
func givenSet(f contexts.Target, p *ssa.Parameter, sets []contexts.Set) contexts.Set {
	for i, q := range f.Fn.Params {
		if p != q {
			continue
		}
		if j := i - len(f.Args); j >= 0 && j < len(sets) && sets[j] != nil {
			return sets[j]
		}
		return contexts.Set{{Kind: contexts.Unknown}}
	}
	return contexts.Set{{Kind: contexts.Param, Param: p}}
}

// ofRun is a function that the tables say is run: now, again and again, or in a goroutine.
func (r *Result) ofRun(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, row knowledge.Row) []effect {
	if row.Func.Kind == knowledge.NoPlace {
		return nil
	}
	given := t.At(row.Func)
	if given == nil {
		return nil
	}
	var under contexts.Set
	if row.Ctx.Kind == knowledge.Param {
		under = r.ctx.Origins(t.At(row.Ctx))
		if len(row.Fields) > 0 { // a policy; what only limits a retry ends no attempt
			under = under.Bounded(r.ctx.Given(t, row))
		}
	}
	sets := []contexts.Set{under, under}
	if under == nil {
		sets = nil
	}
	out := r.ofGiven(fn, c, given, sets, contexts.DisplayName(t.Obj))
	if row.Verb == knowledge.Spawns {
		out = unjoinedDeaf(out)
	}
	return unjoined(out, row.Verb == knowledge.Spawns && row.Joined == "")
}

// funcArgs returns the functions with a body here that a call is given.
func (r *Result) funcArgs(c *ssa.CallCommon) []contexts.Target {
	var out []contexts.Target
	for _, a := range c.Args {
		if typeset.IsFunc(a.Type()) {
			for _, f := range r.ctx.Funcs(a) {
				if f.Fn != nil {
					out = append(out, f)
				}
			}
		}
	}
	return out
}
