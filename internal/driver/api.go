package driver

import (
	"cmp"
	"fmt"
	"go/types"
	"io"
	"slices"
	"strings"
)

// writeAPI writes what importers of the package can see of it, without positions: the exported objects, all that can be
// reached from them, types with their methods and struct tags, constants with their values. Two packages that write the
// same are the same to an importer, however their source differs. Types of other own packages that are reached are written
// too: an importer of this package sees them, whatever it imports. The paths of all other packages that are reached are
// returned; of those that are not own, no type is written.
func writeAPI(w io.Writer, pkg *types.Package, own func(path string) bool) (mentioned []string) {
	a := &apiWriter{w: w, pkg: pkg, own: own,
		seen: make(map[*types.TypeName]bool), others: make(map[string]bool), types: make(map[types.Type]bool)}
	fmt.Fprintf(w, "package %s %q\n", pkg.Name(), pkg.Path())
	for _, name := range pkg.Scope().Names() {
		if obj := pkg.Scope().Lookup(name); obj.Exported() {
			a.object(obj)
		}
	}
	for len(a.todo) > 0 { // types that are reached; grows while it is worked off
		next := a.todo[0]
		a.todo = a.todo[1:]
		a.typeName(next)
	}
	for path := range a.others {
		mentioned = append(mentioned, path)
	}
	slices.Sort(mentioned)
	return mentioned
}

type apiWriter struct {
	w      io.Writer
	pkg    *types.Package
	own    func(path string) bool
	todo   []*types.TypeName
	seen   map[*types.TypeName]bool
	types  map[types.Type]bool // cuts cycles through type parameters
	others map[string]bool
}

func (a *apiWriter) object(obj types.Object) {
	switch obj := obj.(type) {
	case *types.TypeName:
		a.reach(obj)
	case *types.Const:
		fmt.Fprintf(a.w, "const %s %s = %s\n", obj.Name(), a.text(obj.Type()), obj.Val().ExactString())
	case *types.Var:
		fmt.Fprintf(a.w, "var %s %s\n", obj.Name(), a.text(obj.Type()))
	case *types.Func:
		fmt.Fprintf(a.w, "func %s %s\n", obj.Name(), a.text(obj.Type()))
	}
}

// reach puts a type on the list of those to write.
func (a *apiWriter) reach(t *types.TypeName) {
	if t.Pkg() == nil || a.seen[t] {
		return
	}
	a.seen[t] = true
	if path := t.Pkg().Path(); t.Pkg() != a.pkg {
		a.others[path] = true
		if !a.own(path) {
			return
		}
	}
	a.todo = append(a.todo, t)
}

func (a *apiWriter) typeName(t *types.TypeName) {
	name := t.Pkg().Path() + "." + t.Name()
	if alias, ok := t.Type().(*types.Alias); ok {
		fmt.Fprintf(a.w, "type %s%s = %s\n", name, a.params(alias.TypeParams()), a.text(alias.Rhs()))
		return
	}
	named, ok := t.Type().(*types.Named)
	if !ok {
		return // a type parameter: written where it is declared
	}
	fmt.Fprintf(a.w, "type %s%s %s\n", name, a.params(named.TypeParams()), a.text(named.Underlying()))
	methods := slices.Collect(named.Methods())
	slices.SortFunc(methods, func(x, y *types.Func) int { return cmp.Compare(x.Name(), y.Name()) })
	for _, m := range methods {
		fmt.Fprintf(a.w, "method %s.%s (%s) %s\n", name, m.Name(), a.text(m.Signature().Recv().Type()), a.text(m.Type()))
	}
}

func (a *apiWriter) params(list *types.TypeParamList) string {
	var b strings.Builder
	for p := range list.TypeParams() {
		fmt.Fprintf(&b, "[%s %s]", p.Obj().Name(), a.text(p.Constraint()))
	}
	return b.String()
}

// text returns the type as source, with full import paths, and notes the types that it names.
func (a *apiWriter) text(t types.Type) string {
	a.walk(t)
	return types.TypeString(t, nil)
}

// walk notes the named types in t.
func (a *apiWriter) walk(t types.Type) {
	switch t := t.(type) {
	case *types.Basic, nil:
		return
	case *types.Pointer:
		a.walk(t.Elem())
		return
	case *types.Slice:
		a.walk(t.Elem())
		return
	}
	if a.types[t] {
		return
	}
	a.types[t] = true
	switch t := t.(type) {
	case *types.Alias:
		a.reach(t.Obj())
		a.walkAll(t.TypeArgs())
		a.walk(t.Rhs())
	case *types.Named:
		a.reach(t.Obj())
		a.walkAll(t.TypeArgs())
	case *types.TypeParam:
		a.walk(t.Constraint())
	case *types.Array:
		a.walk(t.Elem())
	case *types.Chan:
		a.walk(t.Elem())
	case *types.Map:
		a.walk(t.Key())
		a.walk(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			a.walk(v.Type())
		}
	case *types.Signature:
		for p := range t.TypeParams().TypeParams() {
			a.walk(p)
		}
		a.walk(t.Params())
		a.walk(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			a.walk(f.Type())
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			a.walk(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			a.walk(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			a.walk(term.Type())
		}
	}
}

func (a *apiWriter) walkAll(list *types.TypeList) {
	for t := range list.Types() {
		a.walk(t)
	}
}
