package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// madeLimit is a client made here: a literal, new, or a variable.
func (r *Result) madeLimit(a *ssa.Alloc, fields []string) Limit {
	if stored, ok := r.stores.vars[a]; ok && isPointerOrInterface(typeset.Deref(a.Type())) {
		return r.joinLimits(stored, fields)
	}
	if stored := r.stores.vars[a]; len(stored) > 0 {
		return r.copiedLimit(a, stored, fields)
	}
	return r.structLimit(a, fields)
}

// copiedLimit is a client copied from another by value and perhaps changed: c := *http.DefaultClient.
func (r *Result) copiedLimit(a *ssa.Alloc, stored []ssa.Value, fields []string) Limit {
	if l := r.structLimit(a, fields); l != LimitNone {
		return l
	}
	return r.joinLimits(stored, fields)
}

// structLimit looks at what is stored to the fields of the struct at address a.
func (r *Result) structLimit(a ssa.Value, fields []string) Limit {
	out := LimitNone
	refs := a.Referrers()
	if refs == nil {
		return LimitUnknown
	}
	for _, ref := range *refs {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		switch l := r.fieldStoreLimit(fa, fields); l {
		case LimitOwn:
			return LimitOwn
		case LimitUnknown:
			out = LimitUnknown
		}
	}
	return out
}

// fieldStoreLimit is what a store to one field of a client means for its bound.
func (r *Result) fieldStoreLimit(fa *ssa.FieldAddr, fields []string) Limit {
	f := fieldOf(fa)
	out := LimitNone
	for _, ref := range *fa.Referrers() {
		st, ok := ref.(*ssa.Store)
		if !ok || st.Addr != fa {
			continue
		}
		switch {
		case bounds(f, fields):
			if !isZero(st.Val) {
				return LimitOwn
			}
		case typeset.Is(f.Type(), "net/http", "RoundTripper"):
			if l := r.transportLimit(st.Val); l != LimitNone {
				out = l
			}
		}
	}
	return out
}

// bounds reports whether setting the field bounds calls: the tables name it, or it is a client's Timeout or Deadline.
func bounds(f *types.Var, fields []string) bool {
	for _, name := range fields {
		if f.Name() == name {
			return true
		}
	}
	return (f.Name() == "Timeout" || f.Name() == "Deadline") && isTimely(f.Type())
}

// transportLimit is a client's transport: bounded up to the response when it limits the header, unknown when it is code of
// its own.
func (r *Result) transportLimit(v ssa.Value) Limit {
	if load, ok := v.(*ssa.UnOp); ok {
		if g, ok := load.X.(*ssa.Global); ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "net/http" {
			return LimitNone // http.DefaultTransport, which a client without a transport has
		}
	}
	mi, ok := v.(*ssa.MakeInterface)
	if !ok {
		return LimitUnknown
	}
	if !typeset.IsPointerTo(mi.X.Type(), "net/http", "Transport") {
		return LimitUnknown
	}
	for _, ref := range *mi.X.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || fieldOf(fa).Name() != "ResponseHeaderTimeout" {
			continue
		}
		for _, use := range *fa.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == fa && !isZero(st.Val) {
				return LimitOwn
			}
		}
	}
	if _, made := mi.X.(*ssa.Alloc); made {
		return LimitNone
	}
	return LimitUnknown
}

func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && (c.Value == nil || c.Value.ExactString() == "0")
}

func isPointerOrInterface(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}
