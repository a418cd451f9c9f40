package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/knowledge"
)

// source is a package with one of everything that rows speak of. Its Context is one by its methods.
const source = `package p

type Context interface { Deadline(); Done(); Err(); Value() }
type Request struct { ctx Context; Timeout int }
func (*Request) Context() Context { return nil }
type Handler interface { Serve(Context) }
type HandlerFunc func(*Request)
type Option func(*client)
type client struct { Timeout, Idle int }
type Client struct { client; Net *Request }
func (*client) Do() {}
func (*Client) Get(name string, r *Request) {}
func (*Client) GetContext(ctx Context, name string) {}
func (*Client) Bare() {}
func (*Client) BareTx(tx string) {}
type Map[K comparable, V any] struct{}
func (*Map[K, V]) Range(func(K, V) bool) {}
type Execer interface { Exec() }
type ExecerContext interface { ExecContext(Context) }
func Dial(name string, opts ...Option) *Client { return nil }
func Open(name string) {}
func OpenWithContext(ctx Context, name string) {}
func Handle(f HandlerFunc) {}
func Serve(h Handler) {}
func hidden() {}
func hiddenContext(ctx Context) {}
`

func load(t *testing.T) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("x/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func parse(t *testing.T, text string) []knowledge.Row {
	t.Helper()
	rows, err := knowledge.Parse("t.txt", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func truth(t *testing.T, pkg *types.Package, text string) []error {
	t.Helper()
	return Truth(parse(t, text), func(path string) *types.Package {
		if path == pkg.Path() {
			return pkg
		}
		return nil
	})
}

func TestTruth(t *testing.T) {
	for _, err := range truth(t, load(t), `
(*x/p.client).Do       waits   field=Timeout  # promoted from a type that is not exported
(*x/p.Client).Get      waits   ctx=1.ctx use=(*x/p.Client).GetContext field=Idle,Net.Timeout
(*x/p.Map).Range       calls   func=0
(x/p.Handler).Serve    enters  ctx=0
*x/p.Request           carries ctx=recv.Context()
(*x/p.Request).Context carries
x/p.Context            carries
x/p.HandlerFunc        enters  ctx=0.Context()
x/p.Client             enters
x/p.Dial               waits   ctx=opts field=Timeout unless=Idle
x/p.Handle             enters  func=0 ctx=0.ctx
x/p.Serve              enters  func=0 type=x/p.Handler ctx=0
x/p.Open               waits   use=x/p.OpenWithContext
`) {
		t.Error(err)
	}
}

func TestUntruth(t *testing.T) {
	pkg := load(t)
	tests := []struct{ row, want string }{
		{"y/q.F none", "no package y/q here"},
		{"x/p.Nothing none", "x/p has no such function, method or type"},
		{"(*x/p.Client).Do none", "x/p has no such function"}, // it is (*x/p.client).Do
		{"(x/p.Client).Get none", "x/p has no such function"},
		{"(*x/p.Client).Get waits ctx=0", "ctx=0: string is no context"},
		{"(*x/p.Client).Get waits ctx=2", "ctx=2: there is no parameter 2: it has 2"},
		{"(*x/p.Client).Get waits ctx=1.Context", "it must return something"},
		{"(*x/p.Client).Get waits ctx=1.Ctx", "has no Ctx"},
		{"(*x/p.Client).Get waits ctx=opts", "there are no variadic options"},
		{"(*x/p.Client).Get waits within=0", "within=0: string is no timeout"},
		{"(*x/p.Client).Get waits use=(*x/p.Client).Put", "use=(*x/p.Client).Put: there is no such function"},
		{"(*x/p.Client).Get waits use=(*x/p.Client).Bare", "it takes no context"},
		{"(*x/p.Client).Get waits field=Limit", "field=Limit: neither the receiver nor"},
		{"(*x/p.Client).Get waits field=Net.Limit", "field=Net.Limit: neither the receiver nor"},
		{"(*x/p.Client).Get waits on=1 field=Idle", "field=Idle: neither the receiver nor"},
		{"(*x/p.Client).Get waits unless=Limit", "unless=Limit: there is no such option"},
		{"(*x/p.Client).Get spawns func=0 joined=x/p.Wait", "func=0: string is no function\njoined=x/p.Wait: there is no such function"},
		{"(*x/p.Client).Get carries", "it returns no context"},
		{"x/p.Open waits recv", "recv: there is no receiver"},
		{"x/p.Open waits ctx=recv.ctx", "ctx=recv.ctx: there is no receiver"},
		{"x/p.Dial derives ctx=opts result=1", "result=1: it has 1 results"},
		{"x/p.Serve enters func=0 type=x/p.Server", "type=x/p.Server: there is no such type"},
		{"x/p.Serve enters func=0 type=x/p.Server ctx=0", "ctx=0: what func= and type= name\ntype=x/p.Server: there is no such type"},
		{"x/p.Dial enters func=opts ctx=0", "ctx=0: what func= and type= name"},
		{"x/p.Dial enters func=7 ctx=0", "func=7: there is no parameter 7"},
		{"*x/p.Client carries", "is no context"},
		{"*x/p.Client waits", "a row about a type says carries, enters or none"},
		{"x/p.Handler enters", "is neither a function type nor"},
	}
	for _, tt := range tests {
		var got []string
		for _, err := range truth(t, pkg, "\n  "+tt.row) {
			msg, ok := strings.CutPrefix(err.Error(), "t.txt:2:3: "+strings.Fields(tt.row)[0]+": ")
			if !ok {
				t.Errorf("%s: %v does not name its place", tt.row, err)
			}
			got = append(got, msg)
		}
		if want := strings.Split(tt.want, "\n"); len(got) != len(want) || !slices.EqualFunc(got, want, strings.Contains) {
			t.Errorf("%s:\n got %q\nwant %q", tt.row, got, want)
		}
	}
}

func TestCompleteness(t *testing.T) {
	pkg := load(t)
	var got []string
	for _, err := range Completeness(pkg, tables(t, "")) {
		got = append(got, err.Error())
	}
	want := []string{
		"(*x/p.Client).Get has no row, and has a twin that takes a context: (*x/p.Client).GetContext",
		"(x/p.Execer).Exec has no row, and has a twin that takes a context: (x/p.ExecerContext).ExecContext",
		"x/p.Open has no row, and has a twin that takes a context: x/p.OpenWithContext",
	} // not Bare: BareTx takes a transaction, not a context
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if errs := Completeness(pkg, tables(t, "(*x/p.Client).Get none\n(x/p.Execer).Exec none\nx/p.Open none")); len(errs) != 0 {
		t.Errorf("with rows: %v", errs)
	}
	if errs := Contexts(pkg, tables(t, "")); len(errs) != 4 {
		t.Errorf("functions that take a context: %v", errs)
	}
}

func tables(t *testing.T, text string) *knowledge.Tables {
	return knowledge.Builtin().With(parse(t, text))
}

func TestExports(t *testing.T) {
	pkg := load(t)
	rows := "(*x/p.Client).Get none\nx/p.Open none\nx/p.Dial none"
	var got []string
	for _, err := range Exports(pkg, tables(t, rows), map[string]string{
		"x/p.Dial": "has a row", "x/p.Gone": "was there once", "(*x/p.Map).Range": "is over at once", "y/q.Other": "of another package",
		"(*x/p.Client).GetContext": "", "(*x/p.Client).Bare": "", "(*x/p.Client).BareTx": "", "(*x/p.Request).Context": "",
		"(x/p.Handler).Serve": "", "(x/p.Execer).Exec": "", "(x/p.ExecerContext).ExecContext": "", "x/p.Handle": "", "x/p.Serve": "",
		"(x/p.Context).Deadline": "", "(x/p.Context).Done": "", "(x/p.Context).Err": "", "(x/p.Context).Value": "",
	}) {
		got = append(got, err.Error())
	}
	want := []string{
		"(*x/p.Client).GetContext takes a context, and has a reason in place of a row",
		"(x/p.ExecerContext).ExecContext takes a context, and has a reason in place of a row",
		"(x/p.Handler).Serve takes a context, and has a reason in place of a row",
		"x/p.Dial has a row, and a reason why it needs none",
		"x/p.OpenWithContext has no row, and no reason why it needs none",
		"x/p.Gone is not there, and needs no reason",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
