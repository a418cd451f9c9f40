package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/passes/contexts"
)

// A context that is kept in a field by one function (an option, a constructor) ends the waits of those that read it back. Who
// gives a root to the first leaves the waits of the others without an end.

// noteKept notes a wait that ends by a context kept in a field, when no bound is put on it.
func (r *Result) noteKept(w Wait, o contexts.Origin) {
	if o.Kind != contexts.Handed || o.Field == nil || w.Own || w.Meant || w.Hidden {
		return
	}
	old, ok := r.kept[o.Field]
	if !ok || nearer(w, old) || w.Known && !old.Known {
		r.kept[o.Field] = w
	}
}

// ofKept is what a call makes others wait for by the contexts that the callee keeps.
func (r *Result) ofKept(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target) []effect {
	if t.Fn == nil {
		return nil
	}
	var out []effect
	for i, p := range t.Fn.Params {
		if i >= len(t.Args) {
			break
		}
		for _, f := range r.ctx.KeptIn(p) {
			if w, ok := r.kept[f]; ok {
				out = append(out, r.keptEffect(fn, c, t, w, t.Args[i]))
			}
		}
	}
	return out
}

func (r *Result) keptEffect(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, w Wait, arg ssa.Value) effect {
	w = w.through(callName(t), c.Common().Pos())
	w.End, w.Async = ByParam, false
	return effect{Wait: w, set: r.ctx.Origins(arg), call: c, fn: fn}
}

// judgeKept judges the contexts that a call gives to be kept. A root that is given in one-shot code is the program's own life.
func (r *Result) judgeKept(c *court, fn *ssa.Function, call ssa.CallInstruction) {
	if isTwin(fn.Name(), calleeName(call)) && len(r.reach(fn)) == 0 {
		return // an API without a context: its callers are judged
	}
	targets, _ := r.ctx.Targets(call.Common())
	for _, t := range targets {
		for _, e := range r.ofKept(fn, call, t) {
			for _, o := range e.set {
				switch {
				case o.Kind != contexts.Root || o.Handle || o.Bound.Own:
					continue // inherited, a life, bounded, or unknown
				case r.inReach(e, o):
					r.judgeRoot(c, e, o)
				default:
					r.judgeRest(c, atOrigin(e.Wait, o, e))
				}
			}
		}
	}
}
