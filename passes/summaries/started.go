package summaries

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// meantToLast marks what a call is only assumed to wait for, when it starts something that is kept: it is not over when the
// call is.
func meantToLast(effects []effect, c ssa.CallInstruction, fn *types.Func) []effect {
	if !startsKept(c, fn) {
		return effects
	}
	for i := range effects {
		effects[i].Meant = effects[i].Meant || !effects[i].Known
	}
	return effects
}

// startsKept reports whether a call starts something that can be stopped and that is kept in a field: the context it takes is
// that thing's life.
func startsKept(c ssa.CallInstruction, fn *types.Func) bool {
	if fn == nil || !strings.HasPrefix(fn.Name(), "Run") && !strings.HasPrefix(fn.Name(), "Start") {
		return false // to connect is a wait of its own, whatever becomes of the connection
	}
	res := fn.Signature().Results()
	call, ok := c.(*ssa.Call)
	if !ok || res.Len() == 0 || !canStop(res.At(0).Type()) {
		return false
	}
	for _, ref := range *call.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == 0 && keptInField(x) {
			return true
		}
	}
	return keptInField(call)
}

func canStop(t types.Type) bool {
	for _, name := range [...]string{"Stop", "Close", "Shutdown"} {
		if typeset.Method(t, name) != nil {
			return true
		}
	}
	return false
}

func keptInField(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Val == v {
			if _, isField := st.Addr.(*ssa.FieldAddr); isField {
				return true
			}
		}
	}
	return false
}
