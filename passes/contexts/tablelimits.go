package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// tableLimit is what the tables say of a call that makes a library's client, sets it up, or makes a request of it: resty.New(),
// c.SetBaseURL(u), c.R(). It has the bound of what it is called on; made from nothing it has none, unless something in the package sets one
// on a value of its type.
func (r *Result) tableLimit(t Target, fields []string) (Limit, bool) {
	row, ok := r.Row(t.Obj)
	switch {
	case !ok:
		return LimitUnknown, false
	case row.Verb == knowledge.Bounds && row.ByRecv && row.Within.IsSet():
		return LimitOwn, true
	case row.Verb != knowledge.Binds || row.Ctx.IsSet():
		return LimitUnknown, false
	case takesCode(t.Obj.Signature()):
		return LimitUnknown, true // a transport or a hook may bound what is sent
	}
	v := t.Recv()
	if row.On.IsSet() {
		v = t.At(row.On)
	}
	switch {
	case v != nil:
		return r.Limit(v, fields), true
	case t.Obj.Signature().Params().Len() > 0 || t.Obj.Signature().Results().Len() != 1:
		return LimitUnknown, true // what it is given may be, or have, a bound
	case r.boundSet(t.Obj.Signature().Results().At(0).Type().String()):
		return LimitUnknown, true
	}
	return LimitNone, true
}

// boundSet reports whether a call in the package sets a bound on a value of that type.
func (r *Result) boundSet(typ string) bool {
	if r.boundOn == nil {
		r.boundOn = make(map[string]bool)
		for _, fn := range r.ir.Funcs {
			for c := range ssawalk.Calls(fn) {
				r.noteBound(c)
			}
		}
	}
	return r.boundOn[typ]
}

// takesCode reports whether a function is given a transport or a function.
func takesCode(sig *types.Signature) bool {
	for p := range sig.Params().Variables() {
		if typeset.Is(p.Type(), "net/http", "RoundTripper") || typeset.IsFunc(p.Type()) {
			return true
		}
	}
	return false
}

// noteBound notes the type of what a call bounds by the tables, or gives code that may.
func (r *Result) noteBound(c ssa.CallInstruction) {
	callee := ssawalk.Resolve(c).Func
	if callee == nil || callee.Signature().Recv() == nil {
		return
	}
	if row, ok := r.Row(callee); ok && (row.Verb == knowledge.Bounds || row.Verb == knowledge.Binds && takesCode(callee.Signature())) {
		r.boundOn[callee.Signature().Recv().Type().String()] = true
	}
}
