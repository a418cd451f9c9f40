package contexts

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// Variadic returns the values given for the last, variadic parameter of a call, and whether they can be told one by one.
func Variadic(t Target) ([]ssa.Value, bool) {
	if !t.Sig.Variadic() || len(t.Args) == 0 {
		return nil, false
	}
	return elements(t.Args[len(t.Args)-1])
}

// Options is Variadic that goes on to the only list that is ever kept in a field or a variable, and given as it is.
func (r *Result) Options(t Target) ([]ssa.Value, bool) {
	given, ok := Variadic(t)
	if ok || !t.Sig.Variadic() || len(t.Args) == 0 {
		return given, ok
	}
	return elements(r.Behind(t.Args[len(t.Args)-1]))
}

// elements returns the elements of a slice made by a call's own list of arguments or a literal.
func elements(v ssa.Value) ([]ssa.Value, bool) {
	if c, ok := v.(*ssa.Const); ok && c.IsNil() {
		return nil, true
	}
	sl, ok := v.(*ssa.Slice)
	if !ok {
		return nil, false
	}
	arr, ok := sl.X.(*ssa.Alloc)
	if !ok {
		return nil, false
	}
	var out []ssa.Value
	for _, ref := range *arr.Referrers() {
		ia, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *ia.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == ia {
				out = append(out, st.Val)
			}
		}
	}
	return out, true
}

// Elements returns the values of a slice made by a call's own list of arguments, nil when they cannot be told.
func Elements(v ssa.Value) []ssa.Value {
	out, _ := elements(v)
	return out
}

// Captured returns the variable that a literal's free variable is bound to, or nil.
func (r *Result) Captured(v *ssa.FreeVar) ssa.Value { return r.stores.bindings[v] }

// Variable returns the variable behind an address or a captured value: the enclosing function's.
func (r *Result) Variable(v ssa.Value) ssa.Value { return r.stores.variable(v) }

// Behind is ssawalk.Source that goes on through fields and variables with a single value.
func (r *Result) Behind(v ssa.Value) ssa.Value {
	for range maxBehind {
		v = ssawalk.Source(v)
		load, ok := v.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return v
		}
		only := r.OnlyStored(load)
		if only == nil {
			return v
		}
		v = only
	}
	return v
}

// maxBehind is through how many of them a value is followed.
const maxBehind = 20

// OnlyStored returns the only value that is ever stored where a load reads, or nil.
func (r *Result) OnlyStored(load *ssa.UnOp) ssa.Value {
	if vals := r.Stored(load); len(vals) == 1 {
		return vals[0]
	}
	return nil
}

// StoredIn returns the only value that is ever stored in a variable, or nil.
func (r *Result) StoredIn(a *ssa.Alloc) ssa.Value {
	if vals := r.stores.vars[a]; len(vals) == 1 {
		return vals[0]
	}
	return nil
}

// FieldOf returns the field that an address is of; of a generic struct's instance, the origin's.
func FieldOf(a *ssa.FieldAddr) *types.Var { return fieldOf(a) }

// Covers reports whether the tables know the package.
func (r *Result) Covers(importPath string) bool { return r.tables.Covers(importPath) }
