package summaries

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/passes/loops"
)

// selectsEnd reports whether a case of a select says that something is over: a Done, a stop. A bare signal after which the function goes
// on, where it leaves when a context is over, is what was waited for.
func selectsEnd(sel *ssa.Select, index ssa.Value) bool {
	c, ok := index.(*ssa.Const)
	if !ok {
		return false
	}
	i := int(c.Int64())
	if i < 0 || i >= len(sel.States) || sel.States[i].Dir != types.RecvOnly || !endsOnly(sel.States[i].Chan.Type()) {
		return false
	}
	return loops.IsDone(sel.States[i].Chan) || !awaited(sel, i)
}

// awaited reports whether the function goes on after the i-th case of a select, and leaves by the case of a context's Done.
func awaited(sel *ssa.Select, i int) bool {
	done := slices.IndexFunc(sel.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && loops.IsDone(s.Chan) })
	if done < 0 {
		return false
	}
	cases := casesOf(sel)
	return len(cases) == len(sel.States) && leaves(cases[done].Body) && !leaves(cases[i].Body)
}

// casesOf returns the cases of a select in the source, but for its default; nil where there is no source.
func casesOf(sel *ssa.Select) []*ast.CommClause {
	var cases []*ast.CommClause
	if sel.Parent().Syntax() == nil {
		return nil
	}
	ast.Inspect(sel.Parent().Syntax(), func(n ast.Node) bool {
		s, ok := n.(*ast.SelectStmt)
		if !ok || s.Select != sel.Pos() {
			return len(cases) == 0
		}
		for _, c := range s.Body.List {
			if c := c.(*ast.CommClause); c.Comm != nil {
				cases = append(cases, c)
			}
		}
		return false
	})
	return cases
}

// leaves reports whether statements end by leaving the function, or a loop by its name.
func leaves(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Label != nil && s.Tok != token.CONTINUE
	case *ast.ExprStmt:
		c, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := c.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}
