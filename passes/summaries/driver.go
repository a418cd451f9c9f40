package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// ofDriver reports whether fn is a method of a database driver that has a form with a context, which package database/sql calls
// instead: Driver.Open, Conn.Begin, Conn.Prepare, Stmt.Exec, Stmt.Query. Its interface has no context to give.
func ofDriver(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil || typeset.ContextParam(fn.Signature) >= 0 || fn.Signature.Results().Len() != 2 {
		return false
	}
	switch fn.Name() {
	case "Open", "Begin", "Prepare", "Exec", "Query":
		n := typeset.Named(fn.Signature.Results().At(0).Type())
		return n != nil && types.IsInterface(n) && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "database/sql/driver"
	}
	return false
}
