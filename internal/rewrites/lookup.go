package rewrites

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/typeset"
)

// lookup asks net.DefaultResolver, which is what the functions of package net ask, and which takes a context.
func lookup(s *site) *analysis.SuggestedFix {
	name, ok := strings.CutPrefix(s.name(), "net.Lookup")
	fun, sel := ast.Unparen(s.call.Fun).(*ast.SelectorExpr)
	if !ok || !sel {
		return nil
	}
	name = "Lookup" + name
	network := "" // what LookupIP asks for, both kinds of address
	if name == "LookupIP" {
		network = `"ip", `
	}
	if len(s.call.Args) != s.fn.Signature().Params().Len() || !s.resolverHas(name, network != "") {
		return nil
	}
	at := s.call.Args[0].Pos()
	return &analysis.SuggestedFix{
		Message: "Ask net.DefaultResolver with " + s.ctx,
		TextEdits: []analysis.TextEdit{
			edit(fun.Sel.Pos(), fun.Sel.End(), "DefaultResolver."+name),
			edit(at, at, s.ctx+", "+network),
		},
	}
}

// resolverHas reports whether the resolver's method is the function but for the context, and perhaps a network, before the
// parameters.
func (s *site) resolverHas(name string, network bool) bool {
	obj := s.fn.Pkg().Scope().Lookup("Resolver")
	if obj == nil {
		return false
	}
	m := typeset.Method(types.NewPointer(obj.Type()), name)
	if m == nil || !types.Identical(m.Signature().Results(), s.fn.Signature().Results()) {
		return false
	}
	skip := 1
	if network {
		skip = 2
	}
	a, b := s.fn.Signature().Params(), m.Signature().Params()
	if b.Len() != a.Len()+skip || !typeset.IsContext(b.At(0).Type()) {
		return false
	}
	for i := range a.Len() {
		if !types.Identical(a.At(i).Type(), b.At(i+skip).Type()) {
			return false
		}
	}
	return true
}
