package rewrites

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"github.com/doneby/doneby/internal/typeset"
)

// resolves reports whether the expression for the context means the carrier at the call: no other declaration shadows it, and
// it is well typed there.
func (s *site) resolves() bool {
	expr, err := parser.ParseExpr(s.ctx)
	if err != nil {
		return false
	}
	id := leftmost(expr)
	if id == nil || s.lookup(id.Name, s.call.Pos()) != s.v.Carrier.Param.Object() {
		return false
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
	if err := types.CheckExpr(s.pass.Fset, s.pass.Pkg, s.call.Pos(), expr, info); err != nil {
		return false
	}
	t := info.Types[expr].Type
	s.exact = typeset.Is(t, "context", "Context")
	return typeset.IsContext(t)
}

// lookup returns what a name means at a position, or, without one, what it means anywhere in the scope of the call.
func (s *site) lookup(name string, at token.Pos) types.Object {
	scope := s.pass.Pkg.Scope().Innermost(s.call.Pos())
	if scope == nil {
		return nil
	}
	_, obj := scope.LookupParent(name, at)
	return obj
}

// leftmost returns the name that an expression begins with.
func leftmost(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.CallExpr:
			e = x.Fun
		default:
			return nil
		}
	}
}

// imported returns the name by which the package with that path can be written at the call, or "".
func (s *site) imported(path string) string {
	for _, spec := range s.file.Imports {
		pkg := s.pass.TypesInfo.PkgNameOf(spec)
		if pkg != nil && pkg.Imported().Path() == path && s.lookup(pkg.Name(), s.call.Pos()) == types.Object(pkg) {
			return pkg.Name()
		}
	}
	return ""
}
