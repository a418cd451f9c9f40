package rewrites

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

// dial dials with a Dialer, which takes a context; a timeout becomes the Dialer's and stays as a cap. The connection itself
// does not end with the context, so it may be kept.
func dial(s *site) *analysis.SuggestedFix {
	dialer := ""
	edits := []analysis.TextEdit{}
	switch s.name() {
	case "net.Dial":
	case "net.DialTimeout":
		if len(s.call.Args) != 3 {
			return nil // given as one call's results
		}
		d := s.call.Args[2]
		if hasCall(s, d) || s.commented(s.call.Args[1].End(), d.End()) {
			return nil // it would be called before the other arguments are; a comment would go
		}
		dialer = "Timeout: " + text(s, d)
		edits = append(edits, edit(s.call.Args[1].End(), d.End(), ""))
	default:
		return nil
	}
	fun, ok := ast.Unparen(s.call.Fun).(*ast.SelectorExpr)
	if !ok || len(s.call.Args) < 2 {
		return nil
	}
	edits = append(edits, edit(s.call.Fun.Pos(), s.call.Fun.End(), "(&"+text(s, fun.X)+".Dialer{"+dialer+"}).DialContext"), s.first())
	return &analysis.SuggestedFix{Message: "Dial with " + s.ctx, TextEdits: edits}
}
