package policy_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/settings"
)

// TestIgnore gives each program and the lines on which findings are left.
func TestIgnore(t *testing.T) {
	for _, tt := range []struct{ name, src, left string }{
		{"none", "var x = root()", "2"},
		{"on the line", "var x = root() //doneby:ignore detached meant\nvar y = root()", "3"},
		{"above", "//doneby:ignore detached meant\nvar x = root()\nvar y = root()", "4"},
		{"above, with a line between", "//doneby:ignore detached meant\n\nvar x = root()", "4"},
		{"kind", "var x = root() //doneby:ignore detached/root meant", ""},
		{"another kind", "var x = root() //doneby:ignore detached/component meant", "2"},
		{"another rule", "var x = root() //doneby:ignore ctxless meant", "2"},
		{"two names", "var x = root() //doneby:ignore ctxless,detached meant", ""},
		{"no reason", "var x = root() //doneby:ignore detached", ""},
		{"blank before", "var x = root() // doneby:ignore detached meant", "2"},
		{"block comment", "var x = root() /*doneby:ignore detached meant*/", "2"},
		{"longer word", "var x = root() //doneby:ignored detached meant", "2"},
		{"function", "//doneby:ignore detached meant\nfunc f() {\n\troot()\n\troot()\n}\nvar y = root()", "7"},
		{"function, in its doc", "//doneby:ignore detached meant\n// f does\nfunc f() {\n\troot()\n}", ""},
		{"function, the end of its doc", "// f does\n//\n//doneby:ignore detached meant\nfunc f() {\n\troot()\n}", ""},
		{"method", "type T int\n//doneby:ignore detached meant\nfunc (T) f() {\n\troot()\n}", ""},
		{"line of a function", "func f() { //doneby:ignore detached meant\n\troot()\n}", "3"},
		{"group", "//doneby:ignore detached meant\nvar (\n\tx = root()\n\ty = root()\n)", ""},
		{"spec in a group", "var (\n\t//doneby:ignore detached meant\n\tx = use2(\n\t\troot())\n\ty = root()\n)", "6"},
		{"statement", "func f() {\n\t//doneby:ignore detached meant\n\tif root() > 0 {\n\t\troot()\n\t}\n\troot()\n}", "7"},
		{"statement over lines", "func f() {\n\t//doneby:ignore detached meant\n\tuse(\n\t\troot(),\n\t)\n}", ""},
		{"first line of a statement", "func f() {\n\tuse( //doneby:ignore detached meant\n\t\troot(),\n\t)\n}", "4"},
		{"argument", "func f() {\n\tuse(\n\t\t//doneby:ignore detached meant\n\t\troot(),\n\t\troot(),\n\t)\n}", "6"},
		{"after the last", "func f() {\n\troot()\n\t//doneby:ignore detached meant\n}", "3"},
		{"case", "func f(n int) {\n\tswitch n {\n\t//doneby:ignore detached meant\n\tcase 1:\n\t\troot()\n\tdefault:\n\t\troot()\n\t}\n}", "8"},
		{"closing line", "func f() {\n\tfunc() {\n\t\troot()\n\t}() //doneby:ignore detached meant\n\troot()\n}", "4 6"},
		{"file", "var x = root()\n//doneby:file-ignore detached meant\nvar y = root()", ""},
		{"file, another rule", "var x = root()\n//doneby:file-ignore ctxless meant", "2"},
		{"lint", "//lint:ignore detached meant\nvar x = root()", ""},
		{"lint, others' names", "//lint:ignore SA1000,ST1000 meant\nvar x = root()", "3"},
		{"lint, mixed", "//lint:ignore SA1000,detached/root meant\nvar x = root()", ""},
		{"lint, file", "//lint:file-ignore detached meant\nvar x = root()", ""},
		{"nolint", "var x = root() //nolint", ""},
		{"nolint, blank", "var x = root() // nolint", ""},
		{"nolint, all", "var x = root() //nolint:all // meant", ""},
		{"nolint, ours", "var x = root() //nolint:errcheck, DoneBy // meant", ""},
		{"nolint, others", "var x = root() //nolint:errcheck // doneby is not meant", "2"},
		{"nolint, another word", "var x = root() //nolinter", "2"},
		{"nolint, above", "//nolint:doneby\nfunc f() {\n\troot()\n}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := strings.ReplaceAll(tt.src, "use2(", "useInt(")
			p := one("package p\n" + src + "\n" + decls + "func useInt(int) int { return 0 }\n")
			_, ds, fset := p.run(t, all(), calls())
			if got := linesOf(found(fset, ds)); got != tt.left {
				t.Errorf("findings left on lines %q, want %q", got, tt.left)
			}
		})
	}
}

// linesOf returns the line numbers of findings.
func linesOf(found []string) string {
	var lines []string
	for _, f := range found {
		lines = append(lines, strings.Split(f, ":")[1])
	}
	return strings.Join(lines, " ")
}

func TestNolintFile(t *testing.T) {
	p := one("//nolint:doneby\npackage p\n\nvar x = root()\n" + decls)
	if _, ds, _ := p.run(t, all(), calls()); len(ds) > 0 {
		t.Errorf("above the package clause: %+v", ds)
	}
	p = one("package p\n\nvar x = root() //nolint\n" + decls)
	cfg := all()
	cfg.Nolint = false
	if _, ds, _ := p.run(t, cfg, calls()); len(ds) != 1 {
		t.Errorf("with nolint off: %+v", ds)
	}
}

// TestHits wants an ignore to count as used also when the settings hide what it hides.
func TestHits(t *testing.T) {
	p := one("package p\n\nvar x = root() //doneby:ignore ctxless,detached,detached/root meant\nvar y = 1 //doneby:ignore detached meant\n" + decls)
	for _, rules := range []string{"detached", "ctxless"} {
		cfg := settings.Default()
		cfg.Rules = []string{rules}
		res, ds, fset := p.run(t, cfg, calls())
		var names []string
		for _, h := range res.(*policy.Result).Hits() {
			if fset.Position(h.Pos).Line == 3 && !slices.Contains(names, h.Name) {
				names = append(names, h.Name)
			}
		}
		slices.Sort(names)
		if want := []string{"detached", "detached/root"}; !slices.Equal(names, want) || len(ds) > 0 {
			t.Errorf("-rules %s: used %q, findings %+v, want %q and none", rules, names, ds, want)
		}
	}
}

// TestIgnored asks as a pass does, about a place at which nothing is reported.
func TestIgnored(t *testing.T) {
	asks := func(pass *analysis.Pass) (*sum, error) {
		res := &sum{}
		for _, f := range pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if policy.Ignored(pass, call.Pos(), "detached", "root") != res.Ignored(pass, call.Pos(), "detached", "root") {
						t.Error("the two forms differ")
					}
				}
				return true
			})
		}
		if policy.Ignored(pass, 0, "detached", "root") {
			t.Error("no position is ignored")
		}
		res.N = len(res.Hits())
		return res, nil
	}
	a := stack(asks, func(*analysis.Pass) error { return nil })
	p := one("package p\n\nvar x = root() //doneby:ignore detached meant\nvar y = root()\nvar z = root() //nolint:doneby\n" + decls)
	cfg := all()
	cfg.Nolint = false
	res, _, _ := p.run(t, cfg, a.Requires[1])
	if got := res.(*sum).N; got != 1 {
		t.Errorf("%d ignores have their use, want 1", got)
	}
}

// TestWaived wants what an author has waived under the name of a neighbour to be of a kind of its own.
func TestWaived(t *testing.T) {
	for _, tt := range []struct{ name, src, kinds string }{
		{"neighbour", "var x = root() //nolint:contextcheck // meant", "waived"},
		{"neighbour among others, with blanks", "var x = root() // nolint: errcheck, contextcheck", "waived"},
		{"another linter", "var x = root() //nolint:errcheck // not contextcheck", "root"},
		{"a neighbour of another rule", "var x = root() //nolint:noctx", "root"},
		{"above", "//nolint:contextcheck\nvar x = root()", "waived"},
		{"another line", "var x = root()\nvar y = 1 //nolint:contextcheck", "root"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, ds, _ := one("package p\n"+tt.src+"\n"+decls).run(t, all(), calls())
			var got []string
			for _, d := range ds {
				_, kind, _ := strings.Cut(d.URL, "#")
				got = append(got, kind)
			}
			if strings.Join(got, " ") != tt.kinds {
				t.Errorf("kinds %q, want %q", got, tt.kinds)
			}
		})
	}
}
