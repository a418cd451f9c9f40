package summaries

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/doneby/doneby/internal/words"
)

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
