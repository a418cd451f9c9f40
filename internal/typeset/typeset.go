// Package typeset answers generic questions about go/types: is this a context, a request, an error; which parameter of a
// signature is the context; under which name do the knowledge tables know this type. It knows no rule and no table.
//
// Types are compared by import path and name, or by the shape of their methods, never by identity with an imported
// package: the packages at hand come from different importers, and most do not import what is asked about.
package typeset

import (
	"go/types"
	"iter"
)

// Named returns the defined type behind aliases and at most one pointer, or nil.
func Named(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// Is reports whether t is the defined type path.name itself, not a pointer to it.
func Is(t types.Type, path, name string) bool {
	if t == nil {
		return false
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && isNamed(n, path, name)
}

// IsPointerTo reports whether t is *path.name.
func IsPointerTo(t types.Type, path, name string) bool {
	if t == nil {
		return false
	}
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && Is(p.Elem(), path, name)
}

func isNamed(n *types.Named, path, name string) bool {
	obj := n.Obj()
	return obj.Name() == name && obj.Pkg() != nil && obj.Pkg().Path() == path
}

// Name returns the name under which the knowledge tables have a type: "net/http.Request" or "*net/http.Request", without
// type arguments; "" when it is not a defined type.
func Name(t types.Type) string {
	if t == nil {
		return ""
	}
	t = types.Unalias(t)
	star := ""
	if p, ok := t.(*types.Pointer); ok {
		star, t = "*", types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok {
		return ""
	}
	obj := n.Obj()
	if obj.Pkg() == nil {
		return star + obj.Name()
	}
	return star + obj.Pkg().Path() + "." + obj.Name()
}

// Deref returns the type behind a pointer, or t itself.
func Deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// IsRequest reports whether t is *net/http.Request.
func IsRequest(t types.Type) bool { return IsPointerTo(t, "net/http", "Request") }

// IsDuration reports whether t is time.Duration.
func IsDuration(t types.Type) bool { return Is(t, "time", "Duration") }

// IsTime reports whether t is time.Time.
func IsTime(t types.Type) bool { return Is(t, "time", "Time") }

// IsText reports whether t is a string, or a type made of one.
func IsText(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// IsError reports whether t is the predeclared type error.
func IsError(t types.Type) bool {
	return t != nil && types.Identical(types.Unalias(t), types.Universe.Lookup("error").Type())
}

// IsCancel reports whether t is a function that ends a context: context.CancelFunc or CancelCauseFunc, or a plain func().
func IsCancel(t types.Type) bool {
	if Is(t, "context", "CancelFunc") || Is(t, "context", "CancelCauseFunc") {
		return true
	}
	sig, ok := t.(*types.Signature)
	return ok && sig.Params().Len() == 0 && sig.Results().Len() == 0
}

// IsSignalChan reports whether t is a channel of struct{}, which carries no news but that something ended.
func IsSignalChan(t types.Type) bool {
	if t == nil {
		return false
	}
	c, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	s, ok := c.Elem().Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// Interfaces returns the exported interfaces of a package, by their names.
func Interfaces(pkg *types.Package) iter.Seq2[string, *types.Interface] {
	return func(yield func(string, *types.Interface) bool) {
		for _, name := range pkg.Scope().Names() {
			tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || !tn.Exported() {
				continue
			}
			if iface, ok := tn.Type().Underlying().(*types.Interface); ok && !yield(name, iface) {
				return
			}
		}
	}
}
