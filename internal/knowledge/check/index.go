// Package check holds the tables against real packages: that a row tells the truth (Truth), and that a function with a
// context-taking twin has a row (Completeness). The tests of the tables use it, and the driver for the tables of users.
//
// It reads go/types only. It knows what a signature tells, not what a body does: that a function marked none really takes no
// time is for its author to see.
package check

import (
	"go/types"
	"strings"

	"github.com/doneby/doneby/internal/knowledge"
)

// index leads from a name as rows write it to the object of that name, for one package.
type index struct {
	pkg    *types.Package
	funcs  map[string]*types.Func
	fields map[string]bool // of any struct type of the package
}

func newIndex(pkg *types.Package) *index {
	x := &index{pkg: pkg, funcs: map[string]*types.Func{}, fields: map[string]bool{}}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Func:
			x.funcs[obj.FullName()] = obj
		case *types.TypeName:
			x.addType(obj)
		}
	}
	return x
}

// addType adds the methods of a type. Those that it has by embedding an unexported type ((*net.conn).Read) are found only so:
// export data does not list that type.
func (x *index) addType(name *types.TypeName) {
	t := name.Type()
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			x.fields[f.Name()] = true
		}
	}
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	for sel := range types.NewMethodSet(t).Methods() {
		fn := sel.Obj().(*types.Func).Origin()
		x.funcs[plain(fn)] = fn
	}
}

// plain is the name of fn in tables: without type parameters.
func plain(fn *types.Func) string {
	name := fn.FullName()
	if i, j := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); i >= 0 && i < j {
		return name[:i] + name[j+1:]
	}
	return name
}

// world finds objects in many packages.
type world struct {
	lookup  func(path string) *types.Package
	indexes map[string]*index
}

func (w *world) index(path string) *index {
	x, ok := w.indexes[path]
	if !ok {
		if pkg := w.lookup(path); pkg != nil {
			x = newIndex(pkg)
		}
		w.indexes[path] = x
	}
	return x
}

// function finds a function or method, nil if there is none.
func (w *world) function(name string) *types.Func {
	path, _, _ := knowledge.SplitName(name)
	if x := w.index(path); x != nil {
		return x.funcs[name]
	}
	return nil
}

// named finds a type, written T or *T; nil if there is none.
func (w *world) named(name string) types.Type {
	path, typ, fn := knowledge.SplitName(name)
	x := w.index(path)
	if x == nil || strings.HasPrefix(name, "(") {
		return nil // no such package, or a method
	}
	base, isPointer := strings.CutPrefix(typ, "*")
	obj, ok := x.pkg.Scope().Lookup(base + fn).(*types.TypeName)
	switch {
	case !ok:
		return nil
	case isPointer:
		return types.NewPointer(obj.Type())
	default:
		return obj.Type()
	}
}
