package typeset

import (
	"go/types"
	"strings"
)

// FullName returns the name under which the knowledge tables have a function: that of its generic origin.
func FullName(fn *types.Func) string {
	if fn == nil {
		return ""
	}
	return fn.Origin().FullName()
}

// IsNamed reports whether fullName is the name of fn, as FullName has it, without putting that together for every function.
func IsNamed(fn *types.Func, fullName string) bool {
	return fn != nil && strings.HasSuffix(fullName, fn.Name()) && FullName(fn) == fullName
}

// Receiver returns the type of fn's receiver, or nil.
func Receiver(fn *types.Func) types.Type {
	if r := fn.Signature().Recv(); r != nil {
		return r.Type()
	}
	return nil
}

// IsInterfaceMethod reports whether fn is declared by an interface, so that a call of it names no body.
func IsInterfaceMethod(fn *types.Func) bool {
	r := Receiver(fn)
	return r != nil && types.IsInterface(r)
}

// Exported reports whether other packages can name fn: an exported function, or an exported method, of whatever type (a
// value of an unexported type may leave its package in an interface).
func Exported(fn *types.Func) bool { return fn != nil && fn.Exported() }

// IsFunc reports whether t is a function type.
func IsFunc(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}
