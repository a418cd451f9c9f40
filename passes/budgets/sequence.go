package budgets

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// An iterator (package iter, range over func) runs when it is ranged over, not when it is made. One that asks for page after page does
// so under the context that its maker was given.

// sequence returns the call for the next page that the iterator which fn returns repeats under a parameter of fn, or "".
func (p *program) sequence(fn *ssa.Function, param *ssa.Parameter) string {
	if !givesSequence(fn.Signature) {
		return ""
	}
	for _, lit := range fn.AnonFuncs {
		if !returned(fn, lit) {
			continue
		}
		for _, u := range p.uses(lit) {
			if u.under.base == param && len(u.under.caps) == 0 {
				if name := p.pagesOf(lit, u, ""); name != "" {
					return name
				}
			}
		}
	}
	return ""
}

// givesSequence reports whether a function's only result is an iterator: a function of a yield that says whether to go on.
func givesSequence(sig *types.Signature) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	seq, ok := sig.Results().At(0).Type().Underlying().(*types.Signature)
	if !ok || seq.Params().Len() != 1 || seq.Results().Len() != 0 {
		return false
	}
	yield, ok := seq.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Results().Len() == 1 && types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}

// returned reports whether fn returns its literal.
func returned(fn, lit *ssa.Function) bool {
	for ret := range ssawalk.Returns(fn) {
		if made, ok := ssawalk.Source(ret.Results[0]).(*ssa.MakeClosure); ok && made.Fn == ssa.Value(lit) {
			return true
		}
	}
	return false
}

// ranged reports whether what a call returns is run where it was made: an iterator that is stored or handed on runs under who knows what.
func ranged(call *ssa.Call) bool {
	for _, ref := range *call.Referrers() {
		if c, ok := ref.(ssa.CallInstruction); ok && c.Common().Value == ssa.Value(call) {
			return true
		}
	}
	return false
}
