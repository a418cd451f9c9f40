package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
)

// flight reports whether a group is waited for whose one member is another call of the same function, which runs what it was
// given: a single flight by hand. It lasts as long as what the callers give.
func (d *deaf) flight(w *channels.Wait) bool {
	if w.Kind != channels.Group || w.On().Chan == nil {
		return false
	}
	found := false
	for _, op := range w.On().Chan.Ops {
		if op.Kind != channels.Done {
			continue
		}
		if !d.runsGiven(ssawalk.Outermost(op.Fn)) || len(d.members(op)) > 0 {
			return false
		}
		found = true
	}
	return found
}

// runsGiven reports whether a function calls one that it is given.
func (d *deaf) runsGiven(fn *ssa.Function) bool {
	sum := d.r.sums[fn]
	return sum != nil && len(sum.funcs) > 0
}

// lands reports whether the functions that a call gives to a flight are all seen, and none waits as far as anybody knows. One
// that fn was given itself, or that runs such a one, is decided by fn's callers.
func (r *Result) lands(fn *ssa.Function, c ssa.CallInstruction) bool {
	given := false
	for _, a := range c.Common().Args {
		if !typeset.IsFunc(a.Type()) {
			continue
		}
		given = true
		if r.calledParam(a) != nil {
			return false
		}
		for _, f := range r.ctx.Funcs(a) {
			if f.Fn == nil {
				continue // out of sight
			}
			if r.read(f.Fn, fn); r.takesTime(f.Fn) || r.runsOuter(f.Fn) {
				return false
			}
		}
	}
	return given
}

// takesTime reports whether something that a function calls waits, under whatever context.
func (r *Result) takesTime(fn *ssa.Function) bool {
	for c := range ssawalk.Calls(fn) {
		if len(r.effects(fn, c)) > 0 {
			return true
		}
	}
	return false
}

// runsOuter reports whether a literal calls what the function around it was given.
func (r *Result) runsOuter(lit *ssa.Function) bool {
	for c := range ssawalk.Calls(lit) {
		if p := r.calledParam(c.Common().Value); p != nil && p.Parent() != lit {
			return true
		}
	}
	return false
}
