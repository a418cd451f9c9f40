package contexts

import "golang.org/x/tools/go/ssa"

// DefaultLimit is the bound of http.DefaultClient, and so of http.Get and its like: none, unless the package gives it one, as programs do
// when they start. What another package gives it is not seen.
func (r *Result) DefaultLimit() Limit {
	if r.standard == nil {
		l := r.findDefaultLimit()
		r.standard = &l
	}
	return *r.standard
}

func (r *Result) findDefaultLimit() Limit {
	out := LimitNone
	for in := range r.ir.Instrs() {
		st, ok := in.(*ssa.Store)
		if !ok {
			continue
		}
		switch addr := st.Addr.(type) {
		case *ssa.Global:
			if isDefault(addr) {
				return LimitUnknown // another client, or another transport
			}
		case *ssa.FieldAddr:
			if !ofDefault(addr.X) || isZero(st.Val) {
				continue
			}
			if fieldOf(addr).Name() == "Timeout" {
				return LimitOwn
			}
			out = LimitUnknown // a transport, or a bound of the default one
		}
	}
	return out
}

// ofDefault reports whether v is http.DefaultClient, or http.DefaultTransport as what it is.
func ofDefault(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.TypeAssert:
		return ofDefault(v.X)
	case *ssa.Extract:
		return ofDefault(v.Tuple)
	case *ssa.UnOp:
		g, ok := v.X.(*ssa.Global)
		return ok && isDefault(g)
	}
	return false
}

func isDefault(g *ssa.Global) bool {
	return g.Pkg != nil && g.Pkg.Pkg.Path() == "net/http" && (g.Name() == "DefaultClient" || g.Name() == "DefaultTransport")
}
