package ruletest

import (
	"go/ast"
	"go/types"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// sleeps says that a function pauses.
type sleeps struct{}

func (*sleeps) AFact()         {}
func (*sleeps) String() string { return "sleeps" }

// toy reports calls of time.Sleep and of functions that call it, and offers pause instead.
var toy = &analysis.Analyzer{
	Name:      "toy",
	Doc:       "report pauses, to test the test",
	FactTypes: []analysis.Fact{new(sleeps)},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, f := range pass.Files {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					checkToy(pass, fn)
				}
			}
		}
		return nil, nil
	},
}

func checkToy(pass *analysis.Pass, fn *ast.FuncDecl) {
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		callee, _ := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
		if callee == nil || callee.FullName() != "time.Sleep" && !pass.ImportObjectFact(callee, new(sleeps)) {
			return true
		}
		pass.ExportObjectFact(pass.TypesInfo.Defs[fn.Name], new(sleeps))
		d := analysis.Diagnostic{
			Pos: call.Pos(), End: call.End(), Message: callee.Pkg().Name() + "." + callee.Name() + " waits",
			Related: []analysis.RelatedInformation{{Pos: fn.Name.Pos(), Message: "in " + fn.Name.Name}},
		}
		if fn.Name.Name == "wait" && fn.Type.Params.NumFields() > 0 {
			d.Related = nil
			d.SuggestedFixes = []analysis.SuggestedFix{{Message: "Pass ctx", TextEdits: []analysis.TextEdit{
				{Pos: call.Fun.Pos(), End: call.Args[0].Pos(), NewText: []byte("pause(ctx, ")},
				{Pos: fn.End(), NewText: []byte("\n\nfunc pause(context.Context, time.Duration) {}")},
			}}}
		}
		pass.Report(d)
		return true
	})
}

func TestToy(t *testing.T) { RunFile(t, "testdata/toy.md", toy) }

// TestFailures breaks the toy's README: each change must be a failure that says where.
func TestFailures(t *testing.T) {
	changes := []struct{ old, new, want string }{
		{"// want \"time.Sleep waits\"\n", "// want \"sleeps on\"\n", `toy.md:13: no finding here matches "sleeps on"`},
		{"pause(ctx, time.Second)", "pause(ctx, 2*time.Second)", "toy.md:18: the fixes make\nfunc wait(ctx context.Context) {\n\tpause(ctx, time.Second)\n"},
		{"example.go:2:2: toy", "example.go:2:3: toy", "toy.md:26: the output is\nexample.go:2:2: toy: time.Sleep waits\n"},
		{`want wait:"sleeps"`, `want wait sleeps`, "toy.md:36: after want stand quoted patterns"},
		{"`time.Sleep waits`", `"("`, "toy.md:37: error parsing regexp"},
		{" // want \"store.Get waits\"", "", `toy.md:46: nothing is wanted here, and toy says "store.Get waits"`},
		{`want Get:"sleeps"`, `want Get:"never"`, `toy.md:49: no fact about Get matches "never"; it has ["sleeps"]`},
		{"load.go:1:6: in load", "load.go:1:6: in save", "the output is\nload.go:2:2: toy: store.Get waits\n\tload.go:1:6: in load\n"},
	}
	text := read(t)
	bad := text
	for _, c := range changes {
		bad = change(t, bad, c.old, c.new)
	}
	up, problems := examine("toy.md", bad, []*analysis.Analyzer{toy})
	got := strings.Join(problems, "\n")
	for _, c := range changes {
		if !strings.Contains(got, c.want) {
			t.Errorf("problems:\n%s\nwant %q", got, c.want)
		}
	}
	for _, c := range changes {
		if strings.HasPrefix(c.want, "toy.md:18") || strings.Contains(c.want, "the output is") {
			bad = strings.Replace(bad, c.new, c.old, 1)
		}
	}
	if up != bad {
		t.Errorf("-update would write:\n%s", up)
	}
}

// TestBroken gives programs that do not compile.
func TestBroken(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"_ = c.Request", "_ = c.Nothing", "toy.md:79:89: c.Nothing undefined"},
		{"_ = c.Request }", "_ = c.Request", "toy.md:79: expected '}'"},
	} {
		_, problems := examine("toy.md", change(t, read(t), c.old, c.new), []*analysis.Analyzer{toy})
		if got := strings.Join(problems, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("problems:\n%s\nwant %q", got, c.want)
		}
	}
}

func read(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/toy.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func change(t *testing.T, text, old, new string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("the toy's README has no %q", old)
	}
	return strings.Replace(text, old, new, 1)
}

func TestWording(t *testing.T) {
	for msg, good := range map[string]bool{
		"http.Get cannot carry ctx":                true,
		"receive from results does not end":        true,
		"http.Get cannot carry ctx.":               false,
		"http.Get should be given ctx":             false,
		"a\nb":                                     false,
		strings.Repeat("x", maxMessage) + " waits": false,
	} {
		if got := len(wording(msg)) == 0; got != good {
			t.Errorf("%q: fine %t, want %t", msg, got, good)
		}
	}
}
