package contexts

import "golang.org/x/tools/go/ssa"

// setLater is what the package does to a client that is kept in a field or a variable after it has been stored there:
//
//	s := &Sender{client: new(http.Client)}
//	s.client.Timeout = cfg.Limit
//
// A bound that is set somewhere counts, as a conditional one does that the operator decides on.
func (r *Result) setLater(kept any, fields []string) Limit {
	if r.settings == nil {
		r.settings = r.findSettings()
	}
	out := LimitNone
	for _, fa := range r.settings[kept] {
		switch r.fieldStoreLimit(fa, fields) {
		case LimitOwn:
			return LimitOwn
		case LimitUnknown:
			out = LimitUnknown
		}
	}
	return out
}

// findSettings returns the addresses of the fields that are reached through a pointer which is kept, by the field or variable that keeps it.
func (r *Result) findSettings() map[any][]*ssa.FieldAddr {
	out := make(map[any][]*ssa.FieldAddr)
	for in := range r.ir.Instrs() {
		fa, ok := in.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		if kept := keeperOf(fa.X); kept != nil && r.isClient(fa.X.Type()) {
			out[kept] = append(out[kept], fa)
		}
	}
	return out
}

// keeperOf returns the field or the variable of a package that a pointer is loaded from, or nil.
func keeperOf(v ssa.Value) any {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	switch from := load.X.(type) {
	case *ssa.FieldAddr:
		return fieldOf(from)
	case *ssa.Global:
		return from
	}
	return nil
}
