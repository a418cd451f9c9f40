package rewrites

import (
	"bytes"
	"go/ast"
	"go/format"
)

// text returns a node as gofmt writes it.
func text(s *site, n ast.Node) string {
	var out bytes.Buffer
	if err := format.Node(&out, s.pass.Fset, n); err != nil {
		panic(err) // a node of a file that was parsed
	}
	return out.String()
}

// hasCall reports whether an expression calls something, or receives: it cannot be moved then. A conversion is no call.
func hasCall(s *site, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || !s.pass.TypesInfo.Types[n.Fun].IsType()
		case *ast.UnaryExpr:
			found = found || n.Op.String() == "<-"
		}
		return !found
	})
	return found
}
