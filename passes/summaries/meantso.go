package summaries

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/doneby/doneby/internal/words"
)

// explained reports whether a comment beside a root, or above it, speaks of its end: who wrote it knew that the deadline is left
// out, and says why.
func (r *Result) explained(pos token.Pos) bool {
	line := r.pass.Fset.Position(pos).Line
	for _, file := range r.pass.Files {
		if pos < file.FileStart || pos >= file.FileEnd {
			continue
		}
		for _, g := range file.Comments {
			last := r.pass.Fset.Position(g.End()).Line
			if last != line && last != line-1 || g.Pos() > pos && last != line {
				continue
			}
			if reasons.MatchString(quoted.ReplaceAllString(g.Text(), "")) {
				return true
			}
		}
	}
	return false
}

// quoted is what a comment cites: a message, a name. It explains nothing.
var quoted = regexp.MustCompile("\"[^\"]*\"|`[^`]*`")

// reasons are words by which comments explain why something does not end with its caller.
var reasons = regexp.MustCompile(`(?i)\b(uncancel\w*|cancel\w*|detach\w*|deadlines?|outlives?|survives?|independent(ly)?|even (if|when|though|after)|regardless|background context|disconnect\w*|` +
	`(custom|separate|dedicated|different|long-lived|longer-lived) (ctx|context)|` +
	`(not|don't|never|cannot|can't|instead of|rather than)( to)? (use|using|reuse|reusing|pass|passing|inherit|inheriting|derive|deriving|tie|bind)\b[^.]{0,60}\b(ctx|context))\b`)

// spelledDetach reports whether the code says by a name that a context is meant to go on without its deadline, as in
//
//	uncancellable := context.WithoutCancel(ctx)
//
// That is no oversight, but it has no bound either.
func (r *Result) spelledDetach(pos token.Pos) bool {
	for _, file := range r.pass.Files {
		if pos < file.FileStart || pos >= file.FileEnd {
			continue
		}
		path, _ := astutil.PathEnclosingInterval(file, pos, pos)
		for _, n := range path {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if len(n.Lhs) > 0 && saysDetached(types.ExprString(n.Lhs[0])) {
					return true
				}
			case *ast.FuncDecl:
				return saysDetached(n.Name.Name)
			}
		}
	}
	return false
}

func saysDetached(name string) bool {
	for _, w := range words.Of(name) {
		for _, begin := range [...]string{"uncancel", "noncancel", "nocancel", "detach", "independent"} {
			if strings.HasPrefix(w, begin) {
				return true
			}
		}
	}
	return false
}
