package rewrites

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// root gives what takes a root the context in reach. What only keeps the values of another context has none: it is a detach,
// spelled out.
func root(s *site) []analysis.TextEdit {
	switch s.name() {
	case "context.Background", "context.TODO":
	default:
		return nil
	}
	if !s.flow.stays(s.value) {
		return nil // something may keep the context beyond this call
	}
	if !s.exact && !s.isArgument() {
		return nil // a variable would have another type
	}
	if as, ok := s.path[1].(*ast.AssignStmt); ok && len(as.Lhs) == 1 && s.names(as.Lhs[0]) {
		if as.Tok == token.ASSIGN {
			return s.without(as) // ctx = ctx
		}
		return nil // a second name for the same, which may be assigned to: not one edit
	}
	return []analysis.TextEdit{edit(s.call.Pos(), s.call.End(), s.ctx)}
}

// isArgument reports whether the call stands among the arguments of another.
func (s *site) isArgument() bool {
	outer, ok := s.path[1].(*ast.CallExpr)
	return ok && slices.Contains(outer.Args, ast.Expr(s.call))
}

// names reports whether an expression is the name of the context.
func (s *site) names(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == s.ctx
}

// without takes a statement away, if it has its lines for itself.
func (s *site) without(stmt ast.Stmt) []analysis.TextEdit {
	block, ok := s.path[2].(*ast.BlockStmt)
	if !ok {
		return nil
	}
	tf := s.pass.Fset.File(s.file.FileStart)
	first, last := tf.Line(stmt.Pos()), tf.Line(stmt.End())
	if tf.Line(block.Lbrace) >= first || tf.Line(block.Rbrace) <= last {
		return nil
	}
	from, to := tf.LineStart(first), tf.LineStart(last+1)
	for _, other := range block.List {
		if other != stmt && other.Pos() < to && from < other.End() {
			return nil
		}
	}
	if s.commented(from, to) {
		return nil
	}
	return []analysis.TextEdit{edit(from, to, "")}
}

// commented reports whether a comment stands between two positions.
func (s *site) commented(from, to token.Pos) bool {
	return slices.ContainsFunc(s.file.Comments, func(c *ast.CommentGroup) bool { return c.Pos() < to && from < c.End() })
}
