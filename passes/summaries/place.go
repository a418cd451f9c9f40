package summaries

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/passes/loops"
)

// SSA keeps a position, not an extent: where the source of a loop, a select or a receive begins and ends.

// endAt returns the end of the expression or keyword at an instruction that is no call.
func (r *Result) endAt(in ssa.Instruction) token.Pos {
	pos := in.Pos()
	switch in := in.(type) {
	case *ssa.Select:
		return pos + token.Pos(len("select"))
	case *ssa.UnOp:
		if n, ok := r.nodeAt(in.Parent(), pos).(*ast.UnaryExpr); ok {
			return n.End()
		}
	}
	return pos + token.Pos(len("for"))
}

// nodeAt returns the receive or loop that begins at pos in the source of fn.
func (r *Result) nodeAt(fn *ssa.Function, pos token.Pos) (found ast.Node) {
	if fn.Syntax() == nil {
		return nil
	}
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.OpPos == pos {
				found = n
			}
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() == pos {
				found = n
			}
		}
		return found == nil
	})
	return found
}

// loopPos returns the keyword of a loop; of one that goto makes, the first place in it.
func (r *Result) loopPos(l *loops.Loop) (pos, end token.Pos) {
	first := token.NoPos
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			if _, phi := in.(*ssa.Phi); phi {
				continue // it bears the place where its variable is declared
			}
			if p := in.Pos(); p.IsValid() && (!first.IsValid() || p < first) {
				first = p
			}
		}
	}
	if at := forAround(l.Fn.Syntax(), first); at.IsValid() {
		return at, at + token.Pos(len("for"))
	}
	return first, first + 1
}

// forAround returns the keyword of the innermost loop of the source around pos.
func forAround(syntax ast.Node, pos token.Pos) (at token.Pos) {
	if syntax == nil || !pos.IsValid() {
		return token.NoPos
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() <= pos && pos < n.End() {
				at = n.Pos()
			}
		}
		return true
	})
	return at
}
