package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
)

// derives reports whether a call makes a context of another, or something that carries one, such as a request, or gives out the context
// that something carries: it does not say whether that is over.
func (r *Result) derives(c *ssa.Call) bool {
	if givesContext(c.Call.Signature()) {
		return true
	}
	fn := c.Call.StaticCallee()
	if fn == nil {
		return false
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return false
	}
	row, ok := r.ctx.Row(obj.Origin())
	return ok && (row.Verb == knowledge.Derives || row.Verb == knowledge.Binds)
}

// givesContext reports whether a context is among what a function returns, and nothing by which it could say more.
func givesContext(sig *types.Signature) bool {
	gives := false
	for v := range sig.Results().Variables() {
		b, basic := v.Type().Underlying().(*types.Basic)
		if typeset.IsError(v.Type()) || basic && b.Info()&types.IsBoolean != 0 {
			return false
		}
		gives = gives || typeset.IsContext(v.Type())
	}
	return gives
}
