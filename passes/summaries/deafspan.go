package summaries

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/durations"
)

// span is where a wait stands in the source, and what it is called there.
type span struct {
	pos, end token.Pos
	text     string
}

// span returns where a wait stands: "receive from results", "wg.Wait".
func (d *deaf) span(w *channels.Wait) span {
	if d.nodes == nil {
		d.nodes = d.r.waitNodes()
	}
	at := d.at(w)
	s := span{at, at, kindNames[w.Kind]}
	switch n := d.nodes[at].(type) {
	case *ast.SendStmt:
		s = span{n.Pos(), n.End(), "send to " + exprText(n.Chan)}
	case *ast.UnaryExpr:
		s = span{n.Pos(), n.End(), "receive from " + exprText(n.X)}
	case *ast.RangeStmt:
		s = span{n.X.Pos(), n.X.End(), "range over " + exprText(n.X)}
	case *ast.SelectStmt:
		s = span{n.Pos(), n.Pos() + token.Pos(len("select")), "select"}
	case *ast.CallExpr:
		s = span{n.Pos(), n.End(), exprText(n.Fun)}
		if w.Kind == channels.Sleep {
			s.text = "sleep"
			if length := d.pause(w); length > 0 {
				s.text += " of " + durations.Text(length)
			}
		}
	}
	return s
}

// at is the position that SSA keeps of a wait.
func (d *deaf) at(w *channels.Wait) token.Pos {
	if c, ok := w.Instr.(ssa.CallInstruction); ok {
		return c.Common().Pos()
	}
	return w.Instr.Pos()
}

// kindNames is what a wait is called whose source cannot be found.
var kindNames = map[channels.Kind]string{channels.Send: "send", channels.Receive: "receive", channels.Range: "range",
	channels.Select: "select", channels.Group: "wait", channels.Cond: "wait", channels.Sleep: "sleep"}

// exprText is an expression as the source has it, without the insides of literals and long calls.
func exprText(e ast.Expr) string {
	text := types.ExprString(e)
	if len(text) <= 40 {
		return text
	}
	if c, ok := e.(*ast.CallExpr); ok {
		return exprText(c.Fun)
	}
	return "a channel"
}

// waitNodes indexes what may wait by the position that SSA keeps of it.
func (r *Result) waitNodes() map[token.Pos]ast.Node {
	out := make(map[token.Pos]ast.Node)
	for _, f := range r.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SendStmt:
				out[n.Arrow] = n
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					out[n.OpPos] = n
				}
			case *ast.RangeStmt:
				out[n.For] = n
			case *ast.SelectStmt:
				out[n.Select] = n
			case *ast.CallExpr:
				out[n.Lparen] = n
			}
			return true
		})
	}
	return out
}
