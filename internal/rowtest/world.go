package rowtest

import (
	"go/types"
	"slices"
	"strings"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
)

// callee is a function or method as a program can call it.
type callee struct {
	obj  *types.Func
	recv types.Type // through which a method is called; nil for a function
	sig  *types.Signature
	why  string // why no program can call it, ""
}

// world finds the functions that rows are about, and what makes or uses a value of a type.
type world struct {
	pkgs    map[string]*types.Package
	tables  *knowledge.Tables
	callees map[string]map[string]callee // by import path and the name that rows use
	makers  map[string][]maker           // by the type of what they make
	sinks   map[string][]maker           // by the type of what they wait on
	fromCtx distances
	onConn  distances
}

func newWorld(pkgs map[string]*types.Package, rows []knowledge.Row) *world {
	w := &world{pkgs: pkgs, tables: knowledge.Builtin(), callees: map[string]map[string]callee{}, makers: map[string][]maker{}, sinks: map[string][]maker{}}
	for _, row := range rows {
		fn, ok := w.callee(row.Name)
		if !ok || fn.why != "" || knowledge.IsTestLibrary(row.ImportPath()) || knowledge.IsCommandLibrary(row.ImportPath()) {
			continue // who imports such a library is judged otherwise
		}
		m := maker{row: row, fn: fn}
		if t := m.makes(); t != nil {
			w.makers[t.String()] = append(w.makers[t.String()], m)
		}
		if t := m.waitsOn(); t != nil {
			w.sinks[t.String()] = append(w.sinks[t.String()], m)
		}
	}
	for _, list := range w.makers {
		slices.SortStableFunc(list, func(a, b maker) int { return a.cost() - b.cost() })
	}
	for _, list := range w.sinks {
		slices.SortStableFunc(list, func(a, b maker) int { return a.cost() - b.cost() })
	}
	w.fromCtx = w.distances(maker.contextAt, func(t types.Type) bool {
		return types.AssignableTo(w.std("context", "Context"), t) || typeset.IsRequest(t)
	})
	w.onConn = w.distances(maker.connAt, func(t types.Type) bool { return types.AssignableTo(w.std("net", "Conn"), t) })
	return w
}

// at returns the type of the value that a place names, its selector left out, or nil.
func (c callee) at(p knowledge.Place) types.Type {
	switch p.Kind {
	case knowledge.Recv:
		return c.recv
	case knowledge.Param:
		if p.Index >= c.sig.Params().Len() {
			return nil
		}
		t := c.sig.Params().At(p.Index).Type()
		if c.sig.Variadic() && p.Index == c.sig.Params().Len()-1 {
			t = t.(*types.Slice).Elem()
		}
		return t
	case knowledge.Opts:
		if last := c.sig.Params().Len() - 1; c.sig.Variadic() {
			return c.sig.Params().At(last).Type().(*types.Slice).Elem()
		}
	}
	return nil
}

// callee finds what a row is about; false when it is a type.
func (w *world) callee(name string) (callee, bool) {
	path, _, _ := knowledge.SplitName(name)
	byName, ok := w.callees[path]
	if !ok {
		byName = w.index(path)
		w.callees[path] = byName
	}
	fn, ok := byName[name]
	return fn, ok
}

// index lists the functions of a package, and its methods, those promoted from types that are not exported included.
func (w *world) index(path string) map[string]callee {
	out := map[string]callee{}
	pkg := w.pkgs[path]
	if pkg == nil {
		return out
	}
	for _, name := range pkg.Scope().Names() {
		switch obj := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			out[obj.FullName()] = function(obj)
		case *types.TypeName:
			addMethods(out, obj)
		}
	}
	return out
}

// function makes a generic function an instance.
func function(obj *types.Func) callee {
	c := callee{obj: obj, sig: obj.Signature()}
	if !obj.Exported() {
		c.why = "is not exported"
	} else if c.sig.TypeParams().Len() > 0 {
		t, ok := instance(c.sig, c.sig.TypeParams())
		if !ok {
			c.why = "has type parameters for which no arguments were found"
			return c
		}
		c.sig = t.(*types.Signature)
	}
	return c
}

// addMethods adds the methods of a type. One that the type declares itself goes before one that another promotes.
func addMethods(out map[string]callee, name *types.TypeName) {
	t := name.Type()
	if n, ok := t.(*types.Named); ok && n.TypeParams().Len() > 0 {
		if t, ok = instance(n, n.TypeParams()); !ok {
			return
		}
	}
	recv := t
	if !types.IsInterface(t) {
		recv = types.NewPointer(t)
	}
	for sel := range types.NewMethodSet(recv).Methods() {
		fn := sel.Obj().(*types.Func)
		full, c := rowName(fn.Origin().FullName()), callee{obj: fn, recv: recv, sig: fn.Signature()}
		declared := fn.Signature().Recv().Type()
		own := types.Identical(declared, t) || types.Identical(declared, recv)
		if own && !types.IsInterface(t) {
			c.recv = declared
		}
		if !name.Exported() || !fn.Exported() {
			c.why = "belongs to a type that cannot be named"
		}
		old, known := out[full]
		if !known || old.why != "" && c.why == "" || own && c.why == "" {
			out[full] = c
		}
	}
}

// rowName is a name without type parameters, as rows have it.
func rowName(name string) string {
	if i, j := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); i >= 0 && i < j {
		return name[:i] + name[j+1:]
	}
	return name
}

// methods returns the methods of a type that takes no time, but for those that have a row of their own.
func (w *world) methods(typeName string) []callee {
	t := w.named(typeName)
	if t == nil {
		return nil
	}
	var out []callee
	for sel := range types.NewMethodSet(t).Methods() {
		fn := sel.Obj().(*types.Func)
		name := rowName(fn.Origin().FullName())
		row, ok := w.tables.Func(name)
		if c, known := w.callee(name); known && c.why == "" && ok && row.Name == typeName {
			out = append(out, c)
		}
	}
	return out
}
