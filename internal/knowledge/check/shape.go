package check

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/doneby/doneby/internal/knowledge"
)

// isContext reports whether t can be used as a context.Context: it has the four methods.
func isContext(t types.Type) bool {
	for _, name := range []string{"Deadline", "Done", "Err", "Value"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj == nil {
			return false
		}
	}
	return true
}

// isTime reports whether t can say how long or until when: a time.Duration or time.Time, a number of some unit, or a
// function, option or pointer around one, which is not looked into.
func isTime(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return !ok || basic.Info()&types.IsNumeric != 0
}

// isCallable reports whether t is a function, or an interface whose methods are called, or a struct that holds them.
func isCallable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Map, *types.Chan:
		return false
	}
	return true
}

// at returns the type of the value that p names in a call of the function with that signature.
func at(sig *types.Signature, p knowledge.Place) (types.Type, error) {
	var t types.Type
	switch p.Kind {
	case knowledge.Recv:
		if sig.Recv() == nil {
			return nil, fmt.Errorf("there is no receiver")
		}
		t = sig.Recv().Type()
	case knowledge.Opts:
		if !sig.Variadic() {
			return nil, fmt.Errorf("there are no variadic options")
		}
		return nil, nil // which option brings the context is its own row's matter
	default:
		if p.Index >= sig.Params().Len() {
			return nil, fmt.Errorf("there is no parameter %d: it has %d", p.Index, sig.Params().Len())
		}
		t = sig.Params().At(p.Index).Type()
		if sig.Variadic() && p.Index == sig.Params().Len()-1 {
			t = t.(*types.Slice).Elem()
		}
	}
	return selected(t, p.Sel)
}

// selected follows a selector, which may be empty, from a value of type t.
func selected(t types.Type, sel string) (types.Type, error) {
	if sel == "" {
		return t, nil
	}
	for part := range strings.SplitSeq(sel, ".") {
		name, isCall := strings.CutSuffix(part, "()")
		obj, _, _ := types.LookupFieldOrMethod(t, true, packageOf(t), name)
		switch obj := obj.(type) {
		case *types.Var:
			if isCall {
				return nil, fmt.Errorf("%s of %s is a field: write %s", name, t, name)
			}
			t = obj.Type()
		case *types.Func:
			if !isCall || obj.Signature().Results().Len() == 0 {
				return nil, fmt.Errorf("%s of %s is a method: write %s(), and it must return something", name, t, name)
			}
			t = obj.Signature().Results().At(0).Type()
		default:
			return nil, fmt.Errorf("%s has no %s", t, name)
		}
	}
	return t, nil
}

// packageOf returns the package in which t's unexported fields can be named.
func packageOf(t types.Type) *types.Package {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(interface{ Obj() *types.TypeName }); ok {
		return n.Obj().Pkg()
	}
	return nil
}

// takesContext reports whether a call of fn can be given a context: by a parameter, by something that a parameter holds,
// or by an option.
func takesContext(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Variadic() {
		return true
	}
	for p := range sig.Params().Variables() {
		if isContext(p.Type()) {
			return true
		}
		if t, err := selected(p.Type(), "Context()"); err == nil && isContext(t) {
			return true
		}
	}
	return false
}

// hasContextParameter reports whether a parameter of fn is a context.
func hasContextParameter(fn *types.Func) bool {
	for p := range fn.Signature().Params().Variables() {
		if isContext(p.Type()) {
			return true
		}
	}
	return false
}
