package rewrites

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/typeset"
)

// twin calls the form of the same function that takes a context first and is otherwise the same.
func twin(s *site) *analysis.SuggestedFix {
	if s.call.Ellipsis.IsValid() && len(s.call.Args) == 0 {
		return nil
	}
	for _, name := range s.twinNames() {
		extra, ok := s.twinNamed(name)
		if !ok {
			continue
		}
		to, ok := s.rename(name)
		if !ok || !s.flow.madeStays(s.value) {
			return nil
		}
		edits := []analysis.TextEdit{to, s.first()}
		if extra {
			edits = append(edits, edit(s.call.Rparen, s.call.Rparen, ", nil"))
		}
		if len(s.call.Args) == 0 && extra {
			edits = []analysis.TextEdit{to, edit(s.call.Rparen, s.call.Rparen, s.ctx+", nil")}
		}
		return &analysis.SuggestedFix{Message: "Call " + name + " with " + s.ctx, TextEdits: edits}
	}
	return nil
}

// twinNames lists the names that the form with a context may have: the one that the verdict knows, if it belongs to the same
// package or receiver, and those of convention.
func (s *site) twinNames() []string {
	var names []string
	own, use := s.name(), s.v.Use
	if i := strings.LastIndex(use, "."); i < 0 {
		names = append(names, use)
	} else if strings.HasPrefix(own, use[:i+1]) && !strings.Contains(own[i+1:], ".") {
		names = append(names, use[i+1:])
	}
	for _, suffix := range [...]string{"Context", "WithContext", "Ctx"} {
		names = append(names, s.fn.Name()+suffix)
	}
	return names
}

// twinNamed reports whether the package or receiver has that function, as the form with a context, and whether that has one
// parameter more: options of which nil means the default.
func (s *site) twinNamed(name string) (extra, ok bool) {
	if name == "" || name == s.fn.Name() {
		return false, false
	}
	t := s.sibling(name)
	if t == nil || s.inside(t) {
		return false, false // in the twin itself it would call itself
	}
	a, b := s.fn.Signature(), t.Signature()
	if a.TypeParams() != nil || b.TypeParams() != nil {
		return false, false
	}
	if a.Variadic() != b.Variadic() || !types.Identical(a.Results(), b.Results()) {
		return false, false
	}
	n := a.Params().Len()
	if b.Params().Len() <= n || !typeset.Is(b.Params().At(0).Type(), "context", "Context") {
		return false, false
	}
	for i := range n {
		if !types.Identical(a.Params().At(i).Type(), b.Params().At(i+1).Type()) {
			return false, false
		}
	}
	switch b.Params().Len() - n {
	case 1:
		return false, true
	case 2:
		last := b.Params().At(n + 1).Type()
		return true, !b.Variadic() && typeset.IsPointerTo(last, "database/sql", "TxOptions")
	}
	return false, false
}

// sibling returns the function of that name in the same package, or the method of the same receiver.
func (s *site) sibling(name string) *types.Func {
	var obj types.Object
	if s.fn.Signature().Recv() == nil {
		if s.fn.Pkg() == nil {
			return nil
		}
		if id, ok := ast.Unparen(s.call.Fun).(*ast.Ident); ok && s.lookup(name, id.Pos()) != s.fn.Pkg().Scope().Lookup(name) {
			return nil // shadowed, or a dot import
		}
		obj = s.fn.Pkg().Scope().Lookup(name)
	} else if sel, ok := ast.Unparen(s.call.Fun).(*ast.SelectorExpr); ok {
		selection := s.pass.TypesInfo.Selections[sel]
		if selection == nil || selection.Kind() != types.MethodVal {
			return nil
		}
		obj, _, _ = types.LookupFieldOrMethod(selection.Recv(), true, s.pass.Pkg, name)
	}
	fn, _ := obj.(*types.Func)
	if fn == nil || !fn.Exported() && fn.Pkg() != s.pass.Pkg {
		return nil
	}
	return fn
}

// inside reports whether the call stands in the function.
func (s *site) inside(fn *types.Func) bool {
	for _, n := range s.path {
		if d, ok := n.(*ast.FuncDecl); ok && s.pass.TypesInfo.Defs[d.Name] == types.Object(fn.Origin()) {
			return true
		}
	}
	return false
}
