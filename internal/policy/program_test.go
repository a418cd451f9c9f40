package policy_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/settings"
)

// A program is a package in memory that imports nothing.
type program struct {
	path   string
	module *packages.Module
	files  map[string]string
}

// one is a program of one file, in the main module.
func one(src string) program {
	return program{"example.com/m/p", &packages.Module{Path: "example.com/m", Main: true}, map[string]string{"p.go": src}}
}

// load parses and type-checks the program.
func (p program) load(t testing.TB) *packages.Package {
	t.Helper()
	pkg := &packages.Package{
		ID: p.path, PkgPath: p.path, Name: "p", Fset: token.NewFileSet(), Module: p.module,
		TypesSizes: types.SizesFor("gc", "amd64"),
		TypesInfo:  &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}},
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range p.files {
			if !yield(name) {
				return
			}
		}
	}) {
		f, err := parser.ParseFile(pkg.Fset, name, p.files[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		pkg.Syntax = append(pkg.Syntax, f)
	}
	var err error
	pkg.Types, err = new(types.Config).Check(p.path, pkg.Fset, pkg.Syntax, pkg.TypesInfo)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// run runs the analyzer over the program under cfg and returns its result and findings.
func (p program) run(t testing.TB, cfg *settings.Config, a *analysis.Analyzer) (any, []analysis.Diagnostic, *token.FileSet) {
	t.Helper()
	settings.Use(cfg)
	t.Cleanup(func() { settings.Use(nil) })
	pkg := p.load(t)
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, []*packages.Package{pkg}, nil)
	if err != nil {
		t.Fatal(err)
	}
	act := graph.Roots[0]
	if act.Err != nil {
		t.Fatalf("an error reaches the driver: %v", act.Err)
	}
	return act.Result, act.Diagnostics, pkg.Fset
}

// found renders findings as file:line:col-col message.
func found(fset *token.FileSet, ds []analysis.Diagnostic) []string {
	var lines []string
	for _, d := range ds {
		lines = append(lines, fmt.Sprintf("%s-%d %s", fset.Position(d.Pos), fset.Position(d.End).Column, d.Message))
	}
	return lines
}

// calls is a rule that reports every call of a function whose name is that of a kind of detached.
func calls() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "detached", Doc: "report calls", ResultType: policy.ResultType,
		Requires: []*analysis.Analyzer{settings.Analyzer},
		Run:      policy.Run(reportCalls),
	}
}

func reportCalls(pass *analysis.Pass) error {
	for _, f := range slices.Backward(pass.Files) { // not in the order in which they are to come out
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if id, ok := call.Fun.(*ast.Ident); ok && strings.Contains("root uncancelled never component", id.Name) {
				d := analysis.Diagnostic{Pos: call.Pos(), Message: id.Name, URL: "#" + id.Name}
				d.Related = []analysis.RelatedInformation{{Pos: f.Name.Pos(), Message: "here"}, {Message: "elsewhere"}}
				pass.Report(d)
				pass.Report(d) // the same once more
			}
			return true
		})
	}
	pass.Report(analysis.Diagnostic{Message: "without a position", URL: "#root"})
	return nil
}

// decls declares what the programs of the tests call.
const decls = `

func root() int { return 0 }
func component() {}
func use(...any) {}
`

// all shows every kind, so that the tests do not depend on the tiers.
func all() *settings.Config {
	cfg := settings.Default()
	cfg.Audit = true
	return cfg
}
