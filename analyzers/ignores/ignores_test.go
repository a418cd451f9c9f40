package ignores

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/settings"
)

// fakeRule returns a rule of that name that reports each call of a function named like the kind.
func fakeRule(name, kind string) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: name, Doc: name, ResultType: policy.ResultType,
		Requires: []*analysis.Analyzer{settings.Analyzer},
		Run: policy.Run(func(pass *analysis.Pass) error {
			for _, f := range pass.Files {
				ast.Inspect(f, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && id.Name == "explode" {
						blowUp()
					}
					if call, ok := n.(*ast.CallExpr); ok && call.Fun.(*ast.Ident).Name == kind {
						pass.Report(analysis.Diagnostic{Pos: call.Pos(), Message: kind, URL: "#" + kind})
					}
					return true
				})
			}
			return nil
		}),
	}
}

func blowUp() { panic("one and only") }

// fakePass is a pass that, as summaries does, asks about the wait in a function named hop.
var fakePass = &analysis.Analyzer{
	Name: "asks", Doc: "asks", ResultType: reflect.TypeFor[*policy.Result](),
	Requires: []*analysis.Analyzer{settings.Analyzer},
	Run: policy.Pass(func(pass *analysis.Pass) (*policy.Result, error) {
		res := &policy.Result{}
		for _, f := range pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && call.Fun.(*ast.Ident).Name == "hop" {
					res.Ignored(pass, call.Pos(), "detached", "root")
				}
				return true
			})
		}
		return res, nil
	}),
}

// findings runs ignores over a package in memory, with rules detached/root and ctxless/call, and returns its findings.
func findings(t *testing.T, cfg *settings.Config, module *packages.Module, files ...string) []string {
	t.Helper()
	settings.Use(cfg)
	t.Cleanup(func() { settings.Use(nil) })
	pkg := &packages.Package{
		Name: "p", PkgPath: "example.com/m/p", Fset: token.NewFileSet(), Module: module, TypesSizes: types.SizesFor("gc", "amd64"),
		TypesInfo: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}},
	}
	for i := 0; i < len(files); i += 2 {
		f, err := parser.ParseFile(pkg.Fset, files[i], files[i+1], parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		pkg.Syntax = append(pkg.Syntax, f)
	}
	var err error
	if pkg.Types, err = new(types.Config).Check(pkg.PkgPath, pkg.Fset, pkg.Syntax, pkg.TypesInfo); err != nil {
		t.Fatal(err)
	}
	a := over([]*analysis.Analyzer{fakePass}, []*analysis.Analyzer{fakeRule("detached", "root"), fakeRule("ctxless", "call")})
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, []*packages.Package{pkg}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if graph.Roots[0].Err != nil {
		t.Fatal(graph.Roots[0].Err)
	}
	var found []string
	for _, d := range graph.Roots[0].Diagnostics {
		found = append(found, fmt.Sprintf("%s: %s", pkg.Fset.Position(d.Pos), d.Message))
	}
	return found
}

const decls = "\n\nfunc root() int { return 0 }\nfunc call() int { return 0 }\nfunc hop() int { return 0 }\n"

var module = &packages.Module{Path: "example.com/m", Main: true}

func all() *settings.Config {
	cfg := settings.Default()
	cfg.Audit = true
	return cfg
}

// TestIgnores gives for each directive behind the declaration what is said about it. Each that is reported stands beside one
// that is not and differs in one thing.
func TestIgnores(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"var x = root() //doneby:ignore detached meant", ""},
		{"var x = root() //doneby:ignore detached", "ignore of detached gives no reason"},
		{"var x = call() //doneby:ignore detached meant", "ignore of detached hides nothing"},
		{"var x = root() //doneby:ignore detached/root meant", ""},
		{"var x = root() //doneby:ignore detached/never meant", "ignore of detached/never hides nothing"},
		{"var x = root() //doneby:ignore detached/stem meant", "ignore of detached/stem names no kind of detached"},
		{"var x = root() //doneby:ignore detatched meant", "ignore of detatched names no rule of doneby"},
		{"var x = root() + call() //doneby:ignore detached,ctxless meant", ""},
		{"var x = root() //doneby:ignore detached,ctxless meant", "ignore of ctxless hides nothing"},
		{"var x = root() //doneby:ignore", "ignore names no rule"},
		{"var x = root() // doneby:ignore detached meant", "a blank before doneby: makes it a mere comment"},
		{"var x = root() //doneby:ignores detached meant", "unknown directive doneby:ignores"},
		{"\n\n//doneby:budget 800ms\nfunc f() {}", ""},
		{"\n\n// f has a budget.\n//\n//doneby:budget 800ms reserve=50ms // and a reason\nfunc f() {}", ""},
		{"\n\n//doneby:budget 800ms\nvar f = func() {}", ""},
		{"\n\n//doneby:budget 800ms\n\nfunc f() {}", "budget stands above no function: put it into the comment of one, or on the line above a function literal"},
		{"var x = 1 //doneby:budget 800ms", "budget stands above no function: put it into the comment of one, or on the line above a function literal"},
		{"\n\n//doneby:budget 800ms\ntype t interface{ f() }", "budget stands above no function: put it into the comment of one, or on the line above a function literal"},
		{"\n\n//doneby:budget 800\nfunc f() {}", `budget is "800": write a duration such as 800ms, and after it reserve=50ms if some is kept for the reply`},
		{"\n\n//doneby:budget -1s\nfunc f() {}", `budget is "-1s": write a duration such as 800ms, and after it reserve=50ms if some is kept for the reply`},
		{"\n\n//doneby:budget\nfunc f() {}", "budget has no duration: write a duration such as 800ms, and after it reserve=50ms if some is kept for the reply"},
		{"\n\n//doneby:budget 1s spare=1s\nfunc f() {}", `budget has "spare=1s" behind it: write a duration such as 800ms, and after it reserve=50ms if some is kept for the reply`},
		{"\n\n//doneby:budget 1s reserve=-1s\nfunc f() {}", `reserve is "-1s": write a duration such as 800ms, and after it reserve=50ms if some is kept for the reply`},
		{"\n\n//doneby:budget 1s reserve=1s\nfunc f() {}", "reserve of 1s leaves nothing of a budget of 1s"},
		{"\n\n//doneby:budget 1s\n//doneby:budget 2s\nfunc f() {}", "budget is the second of its function: delete one"},
		{"\n\n//doneby:budgets 1s\nfunc f() {}", "unknown directive doneby:budgets"},
		{"var x = 1 //doneby:ignore orphan not built yet", ""},
		{"var x = 1 //doneby:ignore unbounded did not run", ""},
		{"var x = hop() //doneby:ignore detached asked for by a pass", ""},
		{"var x = root() //lint:ignore detached meant", ""},
		{"var x = call() //lint:ignore detached meant", "ignore of detached hides nothing"},
		{"var x = root() //lint:ignore detached", "ignore of detached gives no reason"},
		{"var x = call() //lint:ignore SA1000 another tool's", ""},
		{"var x = call() //nolint:doneby", ""},
		{"//doneby:file-ignore detached meant\nvar x = root()", ""},
		{"//doneby:file-ignore detached meant\nvar x = call()", "ignore of detached hides nothing"},
	} {
		got := strings.Join(findings(t, all(), module, "p.go", "package p; "+tt.src+decls), "\n")
		_, got, _ = strings.Cut(got, ": ")
		if got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

// TestNotJudged wants silence about ignores that cannot be known to be in vain.
func TestNotJudged(t *testing.T) {
	vain := "package p\n\nvar v = 1 //doneby:ignore detached/root meant\n"
	want := []string{"p.go:3:11: ignore of detached/root hides nothing"}
	for _, tt := range []struct {
		name   string
		set    func(*settings.Config)
		module *packages.Module
		files  []string
		want   []string
	}{
		{"judged", func(*settings.Config) {}, module, []string{"p.go", vain}, want},
		{"rule named", func(c *settings.Config) { c.Audit, c.Rules = false, []string{"detached"} }, module, []string{"p.go", vain}, want},
		{"kind hidden", func(c *settings.Config) { c.Rules = []string{"-detached/root"} }, module, []string{"p.go", vain}, nil},
		{"rule hidden", func(c *settings.Config) { c.Rules = []string{"ctxless"} }, module, []string{"p.go", vain}, nil},
		{"test file", func(*settings.Config) {}, module, []string{"p_test.go", vain}, nil},
		{"test file, tests on", func(c *settings.Config) { c.Tests = true }, module, []string{"p_test.go", vain},
			[]string{"p_test.go:3:11: ignore of detached/root hides nothing"}},
		{"generated file", func(*settings.Config) {}, module, []string{"p.go", "// Code generated by x. DO NOT EDIT.\n" + vain}, nil},
		{"not own", func(*settings.Config) {}, &packages.Module{Path: "example.com/m", Version: "v1.0.0"}, []string{"p.go", vain}, nil},
	} {
		cfg := all()
		tt.set(cfg)
		if got := findings(t, cfg, tt.module, tt.files...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestIncomplete wants one finding a package, at its clause, however many rules gave up, and no ignore called vain.
func TestIncomplete(t *testing.T) {
	src := "package p\n\nfunc explode() {}\n\nvar v = 1 //doneby:ignore detached meant\n"
	got := findings(t, all(), module, "p.go", src)
	want := "p.go:1:9: could not analyse example.com/m/p: analyzer detached: panic: one and only; in ignores.blowUp"
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRequires wants every rule and pass that has a folder, so that none is forgotten.
func TestRequires(t *testing.T) {
	for dir, list := range map[string][]*analysis.Analyzer{"..": rules, "../../passes": passes} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !e.IsDir() || e.Name() == "ignores" || e.Name() == "settings" {
				continue
			}
			if !slices.ContainsFunc(list, func(a *analysis.Analyzer) bool { return a.Name == e.Name() }) {
				t.Errorf("requires.go does not list %s", e.Name())
			}
		}
	}
	if err := analysis.Validate([]*analysis.Analyzer{Analyzer}); err != nil {
		t.Error(err)
	}
}

// TestTurns wants each pass after contexts to require the one before it, by whatever way: they share what contexts and durations
// remember, and hosts run what does not require each other at the same time.
func TestTurns(t *testing.T) {
	asking := passes[slices.Index(passes, contexts.Analyzer):]
	for i, pass := range asking[1:] {
		if !requires(pass, asking[i]) {
			t.Errorf("%s does not require %s, and may run beside it", pass.Name, asking[i].Name)
		}
	}
}

func requires(a, b *analysis.Analyzer) bool {
	return slices.ContainsFunc(a.Requires, func(r *analysis.Analyzer) bool { return r == b || requires(r, b) })
}
