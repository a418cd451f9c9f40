package main

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
)

// edit replaces the bytes from start to end. No edit changes the number of lines, so that findings before and after compare
// by line.
type edit struct {
	start, end int
	text       string
}

// apply returns the text with the edits made.
func apply(text []byte, edits []edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, text[at:e.start]...)
		out = append(out, e.text...)
		at = e.end
	}
	return append(out, text[at:]...)
}

// fileSites finds what can be broken in one file.
func (w *waits) fileSites(src source) []*site {
	var found []*site
	for _, decl := range src.file.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Body == nil || isCleanup(d.Name.Name) {
			continue
		}
		f := &function{source: src, waits: w, carriers: newCarriers(src.info, d)}
		var sites []*site
		f.eachCall(func(call *ast.CallExpr, in region) {
			if in.apart || in.stmt == nil {
				return
			}
			for _, s := range f.sitesAt(call, in) {
				pos := src.fset.Position(call.Pos())
				s.line, s.col = pos.Line, pos.Column
				sites = append(sites, s)
			}
		})
		if fn, ok := src.info.Defs[d.Name].(*types.Func); !ok || !w.rooted[fn] {
			sites = append(sites, f.listening()...)
		}
		for _, s := range sites {
			s.fn, s.first, s.last = d.Name.Name, lineOf(src.fset, d.Pos()), lineOf(src.fset, d.End())
			found = append(found, s)
		}
	}
	return found
}

// function is a declared function in which sites are looked for.
type function struct {
	source
	*carriers
	waits *waits
}

// sitesAt returns the ways in which a call can be broken.
func (f *function) sitesAt(call *ast.CallExpr, in region) []*site {
	fn, ok := typeutil.Callee(f.source.info, call).(*types.Func)
	if !ok {
		return nil
	}
	fn = fn.Origin()
	name := fn.FullName()
	var sites []*site
	add := func(k kind, c class, edits []edit) {
		if edits != nil {
			sites = append(sites, &site{kind: k, class: c, callee: name, edits: edits})
		}
	}
	switch name {
	case "context.WithTimeout", "context.WithDeadline":
		if f.inherited(call.Args[0]) && f.ends(call, in) {
			add(timeout, byTable, f.root(call, 0, in))
		}
		return sites
	case newRequest:
		if f.inherited(call.Args[0]) && f.sent(in) {
			add(request, byTable, f.rename(call, 0, in, "NewRequest"))
		}
		return sites
	}
	wt, ok := f.waits.call(f.source.info, call)
	if !ok {
		if row, known := f.waits.tables.Func(name); known && row.Verb == knowledge.Binds && row.Ctx.Kind == knowledge.Param && row.Ctx.Sel == "" {
			if i := row.Ctx.Index; i < len(call.Args) && f.inherited(call.Args[i]) {
				add(twin, byTable, f.twin(call, fn, i, in))
			}
		}
		return sites
	}
	if !f.inherited(call.Args[wt.arg]) || isCleanup(fn.Name()) {
		return nil
	}
	switch wt.hops {
	case 0:
		add(argument, wt.class, f.root(call, wt.arg, in))
		if wt.class == byTable {
			add(twin, wt.class, f.twin(call, fn, wt.arg, in))
		}
	case 1:
		add(oneUp, wt.class, f.root(call, wt.arg, in))
	case 2:
		add(twoUp, wt.class, f.root(call, wt.arg, in))
	}
	return sites
}

// root puts context.Background in the place of an argument.
func (f *function) root(call *ast.CallExpr, arg int, in region) []edit {
	pkg, edits := f.contextName(call)
	if pkg == "" {
		return nil
	}
	e := call.Args[arg]
	edits = append(edits, edit{f.offset(e.Pos()), f.offset(e.End()), pkg + ".Background()"})
	return f.keepUsed(e, in, edits)
}

// twin calls the form without a context, if there is one that differs in nothing else.
func (f *function) twin(call *ast.CallExpr, fn *types.Func, arg int, in region) []edit {
	for _, suffix := range []string{"WithContext", "Context", "Ctx"} {
		short, ok := strings.CutSuffix(fn.Name(), suffix)
		if !ok || short == "" {
			continue
		}
		if other := sibling(fn, short); other != nil && sameWithout(fn.Signature(), other.Signature(), arg) {
			return f.rename(call, arg, in, short)
		}
	}
	return nil
}

// sibling returns the function or method of that name beside fn.
func sibling(fn *types.Func, name string) *types.Func {
	if recv := typeset.Receiver(fn); recv != nil {
		return typeset.Method(recv, name)
	}
	other, _ := fn.Pkg().Scope().Lookup(name).(*types.Func)
	return other
}

// sameWithout reports whether b is a without its parameter i.
func sameWithout(a, b *types.Signature, i int) bool {
	if a.Params().Len() != b.Params().Len()+1 || a.Variadic() != b.Variadic() || !types.Identical(a.Results(), b.Results()) {
		return false
	}
	for j := range b.Params().Len() {
		k := j
		if j >= i {
			k++
		}
		if !types.Identical(a.Params().At(k).Type(), b.Params().At(j).Type()) {
			return false
		}
	}
	return true
}

// rename calls another function, without the argument.
func (f *function) rename(call *ast.CallExpr, arg int, in region, name string) []edit {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.Ident:
		id = fun
	default:
		return nil
	}
	e := call.Args[arg]
	end := e.End()
	if arg+1 < len(call.Args) {
		next := call.Args[arg+1].Pos()
		if lineOf(f.fset, next) != lineOf(f.fset, end) {
			return nil // would move lines
		}
		end = next
	}
	return f.keepUsed(e, in, []edit{
		{f.offset(id.Pos()), f.offset(id.End()), name},
		{f.offset(e.Pos()), f.offset(end), ""},
	})
}

// keepUsed adds a use of a local variable that would have none left.
func (f *function) keepUsed(e ast.Expr, in region, edits []edit) []edit {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return edits
	}
	obj := f.source.info.Uses[id]
	if obj == nil || f.params[obj] || f.uses[obj] > 1 {
		return edits
	}
	at := f.offset(in.stmt.Pos())
	return append(edits, edit{at, at, "_ = " + id.Name + "; "})
}

// contextName returns the name under which the call can name package context, and the edit that imports it if need be; ""
// when another thing has the name.
func (f *function) contextName(call *ast.CallExpr) (string, []edit) {
	for _, imp := range f.file.Imports {
		if imp.Path.Value != `"context"` {
			continue
		}
		if imp.Name == nil {
			break
		}
		if imp.Name.Name == "_" || imp.Name.Name == "." {
			return "", nil
		}
		return imp.Name.Name, nil
	}
	scope := f.pkg.Scope().Innermost(call.Pos())
	if scope == nil {
		return "", nil
	}
	_, obj := scope.LookupParent("context", call.Pos())
	switch obj := obj.(type) {
	case nil:
		at := f.offset(f.file.Name.End())
		return "context", []edit{{at, at, `; import "context"`}}
	case *types.PkgName:
		if obj.Imported().Path() == "context" {
			return "context", nil
		}
	}
	return "", nil
}
