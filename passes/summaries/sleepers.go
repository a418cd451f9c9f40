package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// A function that only takes a duration can be kept in a field, or be given, so that tests need not wait. Where one that sleeps is among
// what the package itself puts there, calling it is a pause: others may be put there from out of sight, and none of them hears the context.

// ofSleeper is a call of a function value that cannot be told whole, of which one that sleeps is in sight.
func (r *Result) ofSleeper(fn *ssa.Function, c ssa.CallInstruction) []effect {
	if !onlyPause(c.Common().Signature()) || !r.maySleep(c.Common().Value, 0) {
		return nil
	}
	length := c.Common().Args[0]
	if contexts.DeadlineOf(length) != nil {
		return nil // no longer than a context allows
	}
	w := Wait{End: ByNothing, Traits: Traits{Known: true, Pause: true}, Name: valueName(c.Common().Value), Src: c.Common().Pos(), In: fn}
	w.For = r.pauseOf(length)
	return []effect{{Wait: w, call: c, fn: fn}}
}

// onlyPause reports whether a function takes a duration, and gives nothing.
func onlyPause(sig *types.Signature) bool {
	return sig.Params().Len() == 1 && sig.Results().Len() == 0 && !sig.Variadic() && typeset.IsDuration(sig.Params().At(0).Type())
}

// maySleep reports whether a function that sleeps is among what a value may be.
func (r *Result) maySleep(v ssa.Value, depth int) bool {
	if depth > maxHelpers {
		return false
	}
	for _, t := range r.ctx.Funcs(v) {
		if r.sleeps(t) {
			return true
		}
	}
	switch x := v.(type) {
	case *ssa.ChangeType:
		return r.maySleep(x.X, depth+1)
	case *ssa.Phi:
		return r.anySleeps(x.Edges, depth)
	case *ssa.FreeVar:
		return r.maySleep(r.ctx.Captured(x), depth+1)
	case *ssa.Parameter:
		vals, _ := r.argsFor(x)
		return r.anySleeps(vals, depth)
	case *ssa.UnOp:
		return r.anySleeps(r.ctx.Stored(x), depth)
	}
	return false
}

func (r *Result) anySleeps(vals []ssa.Value, depth int) bool {
	for _, v := range vals {
		if r.maySleep(v, depth+1) {
			return true
		}
	}
	return false
}

// sleeps reports whether a function sleeps as long as it is told, and hears no context.
func (r *Result) sleeps(t contexts.Target) bool {
	if row, ok := r.ctx.Row(t.Obj); ok {
		return row.Verb == knowledge.Sleeps && !row.Ctx.IsSet()
	}
	if t.Fn == nil || len(t.Fn.Params) == 0 {
		return false
	}
	told := t.Fn.Params[len(t.Fn.Params)-1]
	for c := range ssawalk.Calls(t.Fn) {
		targets, _ := r.ctx.Targets(c.Common())
		for _, inner := range targets {
			row, ok := r.ctx.Row(inner.Obj)
			if ok && row.Verb == knowledge.Sleeps && !row.Ctx.IsSet() && inner.At(row.For) == ssa.Value(told) {
				return true
			}
		}
	}
	for _, p := range loops.Pauses(t.Fn) {
		made := loops.TimerOf(p.Chan)
		if !p.Hears && len(p.Stops) == 0 && made != nil && len(made.Call.Args) > 0 && made.Call.Args[0] == ssa.Value(told) {
			return true
		}
	}
	return false
}
