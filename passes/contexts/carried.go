package contexts

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// CarriesDeadline reports whether one of the fields that bound a dialer or client is set, where it is used, from the deadline
// of an inherited context: d.Deadline, _ = ctx.Deadline(). Calls through it then end with that context; where the context has
// no deadline, there was none to carry.
func (r *Result) CarriesDeadline(v ssa.Value, fields []string) bool {
	v = ssawalk.Source(v)
	if v == nil || v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || !bounds(fieldOf(fa), fields) {
			continue
		}
		for _, use := range *fa.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok || st.Addr != fa {
				continue
			}
			if c := deadlineOf(st.Val); c != nil && r.Origins(c).Inherited() {
				return true
			}
		}
	}
	return false
}
