// Package entrypoints knows where units of work begin: which functions are registered as, or have the type of, an entry point
// (a handler, an RPC, a command), and which code of package main runs once, before or beside them.
//
// A function is an entry point if the tables (verb enters) say that a call registers what is passed to it, or that its type
// is one; if it has a *http.Request among its parameters; if it has the shape of an RPC; or if it is stored in a field of a
// library's struct whose functions are given a carrier, such as a command's RunE. Step: an own function that hands a
// parameter on to a registration registers too; a fact says so to its importers, and another names the functions that a
// package registered itself. The sets only grow, so they are the least fixpoint.
//
// It does not know of functions that are registered by reflection, through a variable or by an importer.
package entrypoints

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer finds the entry points of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "entrypoints",
	Doc:        "know which functions start a unit of work",
	Run:        policy.Pass(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, ir.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(enters), new(registers)},
}

// enters is the fact of an exported function that its own package registered as an entry point.
type enters struct{}

func (*enters) AFact()         {}
func (*enters) String() string { return "enters" }

// registers is the fact of an exported function that registers the functions passed to it.
type registers struct{ Params []int } // sorted, the receiver not counted

func (*registers) AFact() {}

func (r *registers) String() string {
	return "registers " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(r.Params)), ","), "[]")
}

// Result says where units of work begin in one package. The zero Result knows of none.
type Result struct {
	policy.Mark
	entries     map[*ssa.Function]bool
	oneShot     map[*ssa.Function]bool
	foreground  map[*ssa.Function]bool
	commandLine bool
	tests       testCode
	example     bool
	embedded    bool
}

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

// Entry reports whether fn is an entry point: what runs in it belongs to one request, RPC, message or command.
func (r *Result) Entry(fn *ssa.Function) bool { return r.entries[ssawalk.Declared(fn)] }

// OneShot reports whether fn is code of package main that main or init reaches by static calls.
func (r *Result) OneShot(fn *ssa.Function) bool { return r.oneShot[ssawalk.Declared(fn)] }

// ForegroundMain reports whether fn is main, or a function that only main calls and that main waits for: its wait is the
// program's own.
func (r *Result) ForegroundMain(fn *ssa.Function) bool { return r.foreground[ssawalk.Declared(fn)] }

// TestHelper reports whether the package, its tests aside, is there for tests: it imports a library made for them, or its path
// says so.
func (r *Result) TestHelper() bool { return r.tests.named || r.tests.some }

// CommandLine reports whether the package makes commands that a person runs at a terminal: it imports a library for these, or
// is one of the examples of a module.
func (r *Result) CommandLine() bool { return r.commandLine }

// EmbeddedDatabase reports whether the package imports the driver of a database that runs in its own process.
func (r *Result) EmbeddedDatabase() bool { return r.embedded }

// Example reports whether the package is one of the examples of a module.
func (r *Result) Example() bool { return r.example }

func run(pass *analysis.Pass) (*Result, error) {
	funcs := ir.Of(pass)
	r := &Result{tests: testsIn(pass), example: isExample(pass.Pkg), embedded: imports(pass, knowledge.IsEmbeddedDatabase)}
	r.commandLine = r.example || imports(pass, knowledge.IsCommandLibrary)
	if funcs.Pkg == nil {
		return r, nil
	}
	r.entries = registered(pass, funcs)
	maps.Copy(r.entries, shapes(pass, funcs))
	r.oneShot, r.foreground = mains(settings.Of(pass).Knowledge(), funcs)
	return r, nil
}

// namedForTests reports whether a package is called as those of the standard library are that help tests: httptest, iotest.
func namedForTests(name string) bool {
	switch name {
	case "attest", "contest", "latest", "protest":
		return false
	}
	return strings.HasSuffix(name, "test")
}

// hasElement reports whether a package's path has one of the elements.
func hasElement(p *types.Package, names ...string) bool {
	for dir := range strings.SplitSeq(p.Path(), "/") {
		if slices.Contains(names, strings.Trim(dir, "_")) {
			return true
		}
	}
	return false
}

// isExample reports whether a package shows how a module is used, measures it or tries it against others: who runs it sees it hang.
func isExample(p *types.Package) bool {
	for dir := range strings.SplitSeq(p.Path(), "/") {
		for _, end := range []string{"bench", "benchmark", "-example", "-examples", "_example", "-demo", "mock", "-stub", "tester", "loadtest", "devtools"} {
			if strings.HasSuffix(dir, end) {
				return true
			}
		}
		if strings.HasPrefix(dir, "mock") || strings.HasPrefix(dir, "fake") || strings.HasPrefix(dir, "dummy") {
			return true // it stands in for what the program talks to
		}
	}
	if p.Name() == "main" && hasElement(p, "integration") {
		return true // run beside its tests; a library of that name is as often what joins two products
	}
	return hasElement(p, "demo", "demos", "example", "examples", "sample", "samples", "script", "scripts", "benchmarks", "interop", "conformance")
}

// imports reports whether a file of the package that is no test, and that no tool wrote, as it writes mocks beside their
// interface, imports a package for which is holds.
func imports(pass *analysis.Pass, is func(path string) bool) bool {
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.PositionFor(f.Package, false).Filename, "_test.go") || ast.IsGenerated(f) {
			continue
		}
		if importsOne(f, is) {
			return true
		}
	}
	return false
}

// declared returns the declared function behind fn, or nil for a literal.
func declared(fn *ssa.Function) *types.Func {
	obj, _ := fn.Object().(*types.Func)
	return obj
}
