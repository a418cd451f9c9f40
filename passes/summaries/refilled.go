package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// refilled returns where the context of a handle comes from when its request is put in after it was made, as in
//
//	req.Request = req.Request.WithContext(ctx)
//
// and nil when it is not.
func (r *Result) refilled(handle ssa.Value) contexts.Set {
	if handle == nil {
		return nil
	}
	handle = ssawalk.Source(handle)
	if handle.Referrers() == nil {
		return nil
	}
	var out contexts.Set
	for _, ref := range *handle.Referrers() {
		field, ok := ref.(*ssa.FieldAddr)
		if !ok || field.Referrers() == nil {
			continue
		}
		for _, use := range *field.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == field && typeset.IsRequest(st.Val.Type()) {
				out = out.Join(r.ctx.Origins(st.Val))
			}
		}
	}
	return out
}
