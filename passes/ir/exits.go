package ir

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/passes/settings"
)

// noReturn is the fact of a function that never returns to its caller.
type noReturn struct{}

func (*noReturn) AFact()         {}
func (*noReturn) String() string { return "noReturn" }

// exits says which functions never return. Base case: the tables. Step: an own function none of whose returns can be
// reached, given what it calls. A cycle is cut where it closes: the function being looked at is taken to return, which
// loses a few, never invents one.
func exits(pass *analysis.Pass) func(*types.Func) bool {
	x := &exiting{
		pass:   pass,
		tables: settings.Of(pass).Knowledge(),
		decls:  make(map[*types.Func]*ast.FuncDecl),
		known:  make(map[*types.Func]bool),
	}
	var order []*types.Func
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok {
				fn := pass.TypesInfo.Defs[decl.Name].(*types.Func)
				x.decls[fn] = decl
				order = append(order, fn)
			}
		}
	}
	for _, fn := range order {
		x.never(fn)
	}
	x.askAll()
	// From here on the map is only read: later passes may ask for wrappers, in any order and from other goroutines.
	return func(fn *types.Func) bool { return x.known[fn.Origin()] }
}

type exiting struct {
	pass   *analysis.Pass
	tables *knowledge.Tables
	decls  map[*types.Func]*ast.FuncDecl
	known  map[*types.Func]bool // also marks what is being looked at
}

// never reports whether the function never returns.
func (x *exiting) never(fn *types.Func) bool {
	fn = fn.Origin()
	if never, ok := x.known[fn]; ok {
		return never
	}
	x.known[fn] = false // cuts cycles
	never := false
	if row, ok := x.tables.Of(fn); ok {
		never = row.Verb == knowledge.Exits
	} else if decl, ok := x.decls[fn]; ok {
		never = decl.Body != nil && cfg.New(decl.Body, x.mayReturn).NoReturn()
	} else {
		never = x.pass.ImportObjectFact(fn, new(noReturn))
	}
	x.known[fn] = never
	if never && x.exported(fn) {
		x.pass.ExportObjectFact(fn, new(noReturn))
	}
	return never
}

// exported reports whether the function may have a fact: it is of this package, which others can import, and not of a test.
func (x *exiting) exported(fn *types.Func) bool {
	decl := x.decls[fn]
	return decl != nil && !x.inTest(decl) && x.pass.Pkg.Name() != "main"
}

// askAll answers for every call in the package, literals' included: whatever the builder may ask.
func (x *exiting) askAll() {
	for _, file := range x.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				x.mayReturn(call)
			}
			return true
		})
	}
}

func (x *exiting) mayReturn(call *ast.CallExpr) bool {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && x.pass.TypesInfo.Uses[id] == types.Universe.Lookup("panic") {
		return false
	}
	fn, _ := typeutil.Callee(x.pass.TypesInfo, call).(*types.Func) // of an interface's methods the tables may speak: testing.TB
	return fn == nil || !x.never(fn)
}

func (x *exiting) inTest(decl *ast.FuncDecl) bool {
	return strings.HasSuffix(x.pass.Fset.PositionFor(decl.Pos(), false).Filename, "_test.go")
}
