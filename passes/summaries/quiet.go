package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// quiet reports whether a wait is part of ending something, or runs when what it could inherit is over.
func (r *Result) quiet(e effect, at ssa.CallInstruction) bool {
	if r.flow.cleansUp(e.call) || r.flow.afterDone(e.call) {
		return true
	}
	if at == nil {
		return false
	}
	_, deferred := at.(*ssa.Defer)
	return deferred || r.flow.cleanupFunc(at.Parent()) || r.flow.afterDone(at)
}

// callAt returns the call at a position in fn.
func (r *Result) callAt(fn *ssa.Function, pos token.Pos) ssa.CallInstruction {
	var out ssa.CallInstruction
	if fn == nil {
		return nil
	}
	for c := range ssawalk.Calls(fn) {
		if c.Common().Pos() == pos {
			out = c
		}
	}
	return out
}
