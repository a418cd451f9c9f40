package driver

import (
	"bytes"
	"go/ast"
	goimporter "go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

func api(t *testing.T, src string) (string, []string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p\n"+src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: goimporter.Default()}).Check("example.com/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	mentioned := writeAPI(&out, pkg, func(string) bool { return false })
	return out.String(), mentioned
}

// Each pair of sources is the same to importers, or is not.
func TestAPI(t *testing.T) {
	tests := []struct {
		name, a, b string
		same       bool
	}{
		{"comment and order", "func F() {}; func G() {}", "\n// G is first.\nfunc G() {}\n\n\nfunc F() {}", true},
		{"body", "func F() int { return 1 }", "func F() int { return 2 }", true},
		{"unexported function", "", "func f() {}", true},
		{"unexported type out of reach", "", "type t struct{}", true},
		{"constant", "const C = 1", "const C = 2", false},
		{"typed constant", "const C = 1", "const C int = 1", false},
		{"variable", "var V int", "var V string", false},
		{"result", "func F() int { return 1 }", "func F() uint { return 1 }", false},
		{"struct tag", "type T struct { A int `a` }", "type T struct { A int `b` }", false},
		{"field in reach", "type t struct { a int }; func F() t { return t{} }", "type t struct { a, b int }; func F() t { return t{} }", false},
		{"method in reach", "type t int; func F() *t { return nil }", "type t int; func (*t) M() {}; func F() *t { return nil }", false},
		{"unexported method", "type T int", "type T int; func (T) m() {}", false},
		{"receiver", "type T int; func (T) M() {}", "type T int; func (*T) M() {}", false},
		{"embedded in reach", "type t struct { A int }; type T struct { *t }", "type t struct { A uint }; type T struct { *t }", false},
		{"interface in reach", "type i interface { M() }; type T[X i] int", "type i interface { N() }; type T[X i] int", false},
		{"constraint", "func F[X any]() {}", "func F[X comparable]() {}", false},
		{"constraint in reach", "type c interface { ~int }; func F[X c]() {}", "type c interface { ~uint }; func F[X c]() {}", false},
		{"alias", "type A = int", "type A = uint", false},
		{"through a map, a channel and a function", "type t int; var V map[string]chan func([]t)", "type t uint; var V map[string]chan func([]t)", false},
		{"type argument", "type t int; type G[X any] struct{}; var V G[t]", "type t uint; type G[X any] struct{}; var V G[t]", false},
		{"recursive", "type T struct { next *T; f func(T) }", "type T struct { next *T; f func(T) }", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a, _ := api(t, test.a)
			b, _ := api(t, test.b)
			if (a == b) != test.same {
				t.Errorf("the same: %t, want %t\n%s---\n%s", a == b, test.same, a, b)
			}
		})
	}
}

func TestAPIMentions(t *testing.T) {
	_, mentioned := api(t, `import ("errors"; "io"; "time"); type t struct { time.Time }; func F() t { _ = errors.New; return t{} }; var R []io.Reader`)
	if want := []string{"io", "time"}; !slices.Equal(mentioned, want) {
		t.Errorf("mentioned %v, want %v", mentioned, want)
	}
}
