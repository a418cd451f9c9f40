package budgets

import (
	"go/ast"
	"go/token"
)

// Range returns the expression at a position that SSA keeps: a call by its parenthesis, a field of a literal by its colon, an
// assignment by what it assigns to, a function by its name or its type.
func Range(files []*ast.File, pos token.Pos) (token.Pos, token.Pos) {
	for _, f := range files {
		if f.FileStart > pos || pos >= f.FileEnd {
			continue
		}
		var found ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if n.Lparen == pos {
					found = n
				}
			case *ast.KeyValueExpr:
				if n.Colon == pos || n.Value.Pos() == pos && found == nil {
					found = n
				}
			case *ast.AssignStmt:
				if n.TokPos == pos || n.Pos() == pos {
					found = n.Lhs[0]
				}
			case *ast.SelectorExpr:
				if n.Sel.Pos() == pos {
					found = n
				}
			case *ast.FuncDecl:
				if n.Name.Pos() == pos {
					found = n.Name
				}
			case *ast.FuncLit:
				if n.Pos() == pos {
					found = n.Type
				}
			}
			return true
		})
		if found != nil {
			return found.Pos(), found.End()
		}
	}
	return pos, pos + 1
}
