package typeset

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

const src = `package p

import ("context"; "time"; "net/url")

type Wide interface { context.Context; Abort() }
type Narrow interface { Done() <-chan struct{} }
type Impl struct{ context.Context }
type PImpl struct{}
func (*PImpl) Deadline() (time.Time, bool) { return time.Time{}, false }
func (*PImpl) Done() <-chan struct{} { return nil }
func (*PImpl) Err() error { return nil }
func (*PImpl) Value(any) any { return nil }
type Alias = context.Context
type Holder struct { n int; ctx context.Context }
type Stream struct{}
func (Stream) Context() context.Context { return nil }
type NotStream struct{}
func (NotStream) Context() string { return "" }
type Gen[T any] struct{}
func (*Gen[T]) M(a int, ctx context.Context) error { return nil }
func list(ctxs ...context.Context) int { return 0 }

var (
	ctx context.Context; wide Wide; narrow Narrow; impl Impl; pimpl *PImpl; alias Alias
	holder *Holder; stream Stream; notStream NotStream; gen *Gen[int]; u *url.URL; err error; d time.Duration
	sig chan struct{}; ints <-chan int; cancel context.CancelFunc
)
`

func load(t *testing.T) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", nil)}
	pkg, err := conf.Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func TestTypes(t *testing.T) {
	pkg := load(t)
	typ := func(name string) types.Type { return pkg.Scope().Lookup(name).Type() }
	tests := []struct {
		what string
		is   func(types.Type) bool
		yes  []string
		no   []string
	}{
		{"IsContext", IsContext, []string{"ctx", "wide", "alias"}, []string{"narrow", "impl", "pimpl", "err", "d"}},
		{"ImplementsContext", ImplementsContext, []string{"ctx", "wide", "impl", "pimpl"}, []string{"narrow", "holder", "stream"}},
		{"HasContextMethod", HasContextMethod, []string{"stream"}, []string{"notStream", "ctx", "u"}},
		{"IsError", IsError, []string{"err"}, []string{"ctx", "d"}},
		{"IsDuration", IsDuration, []string{"d"}, []string{"err"}},
		{"IsSignalChan", IsSignalChan, []string{"sig"}, []string{"ints", "d"}},
		{"IsCancel", IsCancel, []string{"cancel"}, []string{"d"}},
		{"ContextField", func(t types.Type) bool { return ContextField(t) != nil }, []string{"holder", "impl"}, []string{"stream", "u"}},
	}
	for _, tt := range tests {
		for _, n := range tt.yes {
			if !tt.is(typ(n)) {
				t.Errorf("%s(%s) = false, want true", tt.what, n)
			}
		}
		for _, n := range tt.no {
			if tt.is(typ(n)) {
				t.Errorf("%s(%s) = true, want false", tt.what, n)
			}
		}
	}
}

func TestNames(t *testing.T) {
	pkg := load(t)
	gen := pkg.Scope().Lookup("gen").Type()
	m := Method(gen, "M")
	if got, want := FullName(m), "(*p.Gen[T]).M"; got != want {
		t.Errorf("FullName = %s, want %s", got, want)
	}
	if got := ContextParam(m.Signature()); got != 1 {
		t.Errorf("ContextParam = %d, want 1", got)
	}
	if got := ContextParam(pkg.Scope().Lookup("list").Type().(*types.Signature)); got != -1 {
		t.Errorf("ContextParam of a list = %d, want -1", got)
	}
	if !ReturnsError(m.Signature()) {
		t.Error("ReturnsError = false, want true")
	}
	for name, want := range map[string]string{"u": "*net/url.URL", "ctx": "context.Context", "gen": "*p.Gen", "sig": "", "err": "error"} {
		if got := Name(pkg.Scope().Lookup(name).Type()); got != want {
			t.Errorf("Name(%s) = %q, want %q", name, got, want)
		}
	}
}
