package driver_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/settings"
)

// toy reports calls of functions that reach one named Wait, through any number of packages: small, and it carries facts.
var toy = &analysis.Analyzer{
	Name:       "toy",
	Doc:        "report calls that reach Wait",
	URL:        "https://example.com/toy",
	Run:        runToy,
	Requires:   []*analysis.Analyzer{settings.Analyzer, fragile},
	ResultType: reflect.TypeFor[*toyResult](),
	FactTypes:  []analysis.Fact{new(waitsToy)},
}

// waitsToy is the fact of a function that reaches Wait.
type waitsToy struct{ Chain []string }

func (*waitsToy) AFact()           {}
func (f *waitsToy) String() string { return "waits via " + strings.Join(f.Chain, ", ") }

type toyResult struct{ policy.Mark }

func runToy(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		if strings.Contains(file.Name.Name, "toyerror") {
			return nil, fmt.Errorf("package %s is refused", file.Name.Name)
		}
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				if strings.HasPrefix(fn.Name.Name, "toyPanic") {
					panic("met " + fn.Name.Name)
				}
				toyFunc(pass, fn)
			}
		}
	}
	return new(toyResult), nil
}

func toyFunc(pass *analysis.Pass, decl *ast.FuncDecl) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		callee := typeutil.StaticCallee(pass.TypesInfo, call)
		if callee == nil {
			return true
		}
		var fact waitsToy
		if callee.Name() != "Wait" && !pass.ImportObjectFact(callee.Origin(), &fact) {
			return true
		}
		chain := append([]string{callee.Name()}, fact.Chain...)
		pass.ExportObjectFact(pass.TypesInfo.Defs[decl.Name].(*types.Func), &waitsToy{Chain: chain})
		pass.Report(analysis.Diagnostic{
			Pos: call.Pos(), End: call.End(), URL: "#wait",
			Message: "reaches Wait via " + strings.Join(chain, ", "),
			Related: []analysis.RelatedInformation{{Pos: decl.Pos(), End: decl.Name.End(), Message: "in " + decl.Name.Name}},
		})
		return true
	})
}

// fragile is a pass whose panics policy catches, as it does for all real ones.
var fragile = &analysis.Analyzer{
	Name:       "fragile",
	Doc:        "panic where asked to",
	Requires:   []*analysis.Analyzer{settings.Analyzer},
	ResultType: reflect.TypeFor[*toyResult](),
	Run: policy.Pass(func(pass *analysis.Pass) (*toyResult, error) {
		if pass.Pkg.Scope().Lookup("caughtPanic") != nil {
			panic("fragile")
		}
		return new(toyResult), nil
	}),
}
