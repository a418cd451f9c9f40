package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// ownLife reports whether a method Context returns a field that holds a component's own context, by all that is stored to it or by the
// method's fact: one that was made for the component and ends with it. Who has the component has nothing to inherit from a caller.
func (r *Result) ownLife(m *types.Func) bool {
	if own, ok := r.lifes[m]; ok {
		return own
	}
	r.lifes[m] = false // while it is looked at: a cycle tells nothing
	own := r.returnsLife(m)
	r.lifes[m] = own
	return own
}

func (r *Result) returnsLife(m *types.Func) bool {
	if m.Pkg() != r.pass.Pkg {
		fact := new(returns)
		if !r.pass.ImportObjectFact(m, fact) {
			return false
		}
		for _, x := range fact.Results {
			if x.Kind != Lifetime && x.Kind != Root || x.Own {
				return false
			}
		}
		return len(fact.Results) > 0
	}
	if r.pkg == nil {
		return false
	}
	fn := r.pkg.Prog.FuncValue(m)
	if fn == nil || len(fn.Blocks) == 0 {
		return false
	}
	found := false
	for in := range ssawalk.Instrs(fn) {
		ret, ok := in.(*ssa.Return)
		if !ok || len(ret.Results) != 1 {
			continue
		}
		load, ok := ret.Results[0].(*ssa.UnOp)
		if !ok {
			return false
		}
		fa, ok := load.X.(*ssa.FieldAddr)
		if !ok || fieldOf(fa).Exported() || len(r.stores.fields[fieldOf(fa)]) == 0 {
			return false // another package may put a caller's context there
		}
		s, _ := r.join(r.stores.fields[fieldOf(fa)], nil)
		if s = s.Map(kept); len(s) == 0 || s.Any(func(o Origin) bool { return o.Kind != Lifetime && o.Kind != Root || o.Bound.Own }) {
			return false
		}
		found = true
	}
	return found
}
