package ssawalk

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// maxSteps bounds every walk from a value to its source: long chains are unknown rather than slow.
const maxSteps = 32

// Function returns the function that the value v surely is, its origin and without wrappers, and the receiver that a method
// value has bound; nil when unknown. A variable assigned once is followed, a variable of a package is not.
func Function(v ssa.Value) (fn *ssa.Function, recv ssa.Value) {
	switch v := Source(v).(type) {
	case *ssa.Function:
		return Declared(v), nil
	case *ssa.MakeClosure:
		f := v.Fn.(*ssa.Function)
		if f.Parent() == nil && len(v.Bindings) == 1 {
			return Declared(f), v.Bindings[0] // a bound method
		}
		return Declared(f), nil
	}
	return nil, nil
}

// Declared returns the function behind an instance, a bound method or a method expression; a wrapper of an interface
// method stays, since it has no other body.
func Declared(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	if fn.Synthetic == "" || fn.Parent() != nil {
		return fn
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok || types.IsInterface(typeOf(typeRecv(obj))) {
		return fn
	}
	if d := fn.Prog.FuncValue(obj.Origin()); d != nil {
		return d
	}
	return fn
}

// Closures returns the instructions that make a closure of fn, a literal: one, unless the builder copied a defer or a
// range-over-func body. A literal without free variables has none.
func Closures(fn *ssa.Function) []*ssa.MakeClosure {
	refs := fn.Referrers()
	if refs == nil {
		return nil
	}
	var made []*ssa.MakeClosure
	for _, r := range *refs {
		if m, ok := r.(*ssa.MakeClosure); ok && m.Fn == fn {
			made = append(made, m)
		}
	}
	return made
}

// Bound returns the variable of the enclosing function that the free variable v stands for, or nil.
func Bound(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	made := Closures(fn)
	if len(made) != 1 {
		return nil
	}
	for i, fv := range fn.FreeVars {
		if fv == v && i < len(made[0].Bindings) {
			return made[0].Bindings[i]
		}
	}
	return nil
}

// FreeVar returns the free variable of the closure's function that is bound to the variable v, or nil.
func FreeVar(made *ssa.MakeClosure, v ssa.Value) *ssa.FreeVar {
	fn, ok := made.Fn.(*ssa.Function)
	if !ok {
		return nil
	}
	for i, b := range made.Bindings {
		if b == v && i < len(fn.FreeVars) {
			return fn.FreeVars[i]
		}
	}
	return nil
}
