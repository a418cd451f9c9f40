package ssawalk

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

const src = `package p

type I interface{ M(int) }
type T struct{ inner; F int }
func (T) M(int) {}
type inner struct{}
func (*inner) P(int) {}
type G[A any] struct{ a A }
func (*G[A]) M(int) {}
func gen[A any](A, int) {}
func plain(int) {}
type fn func(int)

func static()      { plain(1) }
func method(t T)   { t.M(1) }
func promoted(t *T){ t.P(1) }
func invoke(i I)   { i.M(1) }
func value(t T)    { f := t.M; f(1) }
func ivalue(i I)   { f := i.M; f(1) }
func expr(t T)     { T.M(t, 1) }
func generic(g *G[int]) { g.M(1) }
func instance()    { gen("x", 1) }
func converted()   { f := fn(plain); f(1) }
func captured()    { f := plain; g := func() { f(1) }; g() }
func literal()     { func(int) {}(1) }
func unknown(f func(int)) { f(1) }
func twice(c bool) { f := plain; if c { f = func(int) {} }; f(1) }
func escaped()     { f := plain; set(&f); f(1) }
func set(*func(int)) {}
func deferred(t T) { defer t.M(1) }

func fields(t *T) int { return t.F }
`

func build(t *testing.T) *ssa.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset,
		types.NewPackage("p", "p"), []*ast.File{f}, ssa.BuilderMode(0))
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// lastSite resolves the last call of fn, that of its innermost closure if it has one with calls.
func lastSite(fn *ssa.Function) (s Site) {
	for call := range Calls(fn) {
		s = Resolve(call)
	}
	for _, anon := range fn.AnonFuncs {
		for call := range Calls(anon) {
			s = Resolve(call)
		}
	}
	return s
}

func TestResolve(t *testing.T) {
	pkg := build(t)
	tests := []struct {
		fn, name string
		recv     bool
		body     bool
	}{
		{"static", "p.plain", false, true},
		{"method", "(p.T).M", true, true},
		{"promoted", "(*p.inner).P", true, true},
		{"invoke", "(p.I).M", true, false},
		{"value", "(p.T).M", true, true},
		{"ivalue", "(p.I).M", true, false},
		{"expr", "(p.T).M", true, true},
		{"generic", "(*p.G[A]).M", true, true},
		{"instance", "p.gen", false, true},
		{"converted", "p.plain", false, true},
		{"captured", "p.plain", false, true},
		{"literal", "", false, true},
		{"unknown", "", false, false},
		{"twice", "", false, false},
		{"escaped", "", false, false},
		{"deferred", "(p.T).M", true, true},
	}
	for _, tt := range tests {
		s := lastSite(pkg.Func(tt.fn))
		if s.Name() != tt.name || (s.Recv != nil) != tt.recv || (s.Fn != nil) != tt.body {
			t.Errorf("%s: name %q recv %v body %v, want %q %v %v", tt.fn, s.Name(), s.Recv != nil, s.Fn != nil, tt.name, tt.recv, tt.body)
		}
		if tt.fn == "escaped" {
			continue
		}
		n := len(s.Args)
		if c, ok := s.Arg(n - 1).(*ssa.Const); !ok || c.Int64() != 1 {
			t.Errorf("%s: last argument %v, want 1", tt.fn, s.Arg(n-1))
		}
	}
}

func TestField(t *testing.T) {
	pkg := build(t)
	for r := range Returns(pkg.Func("fields")) {
		f, of := Field(r.Results[0])
		if f == nil || f.Name() != "F" || of != pkg.Func("fields").Params[0] {
			t.Errorf("Field = %v of %v", f, of)
		}
	}
}
