package summaries

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/ir"
)

// ofDriver reports whether fn is a method of a database driver that has a form with a context, which package database/sql calls
// instead: Driver.Open, Conn.Begin, Conn.Prepare, Stmt.Exec, Stmt.Query. Its interface has no context to give.
func ofDriver(fn *ssa.Function) bool {
	if typeset.ContextParam(fn.Signature) >= 0 {
		return false
	}
	switch fn.Name() {
	case "Open", "Begin", "Prepare", "Exec", "Query":
		return returnsDriver(fn)
	}
	return false
}

// returnsDriver reports whether the first result of fn is an interface of package database/sql/driver.
func returnsDriver(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil || fn.Signature.Results().Len() != 2 {
		return false
	}
	n := typeset.Named(fn.Signature.Results().At(0).Type())
	return n != nil && types.IsInterface(n) && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "database/sql/driver"
}

// overOwnDriver reports whether a statement goes to package database/sql in a package that is a driver itself: the database may be
// rows in memory.
func (r *Result) overOwnDriver(fn *types.Func) bool {
	return r.driver && strings.HasPrefix(typeset.FullName(fn), "(*database/sql.")
}

// isDriver reports whether the package, its tests aside, has the Connect of a database driver.
func isDriver(code *ir.Result) bool {
	return slices.ContainsFunc(code.Funcs, func(f *ssa.Function) bool {
		return f.Name() == "Connect" && !code.InTest(f) && returnsDriver(f)
	})
}
