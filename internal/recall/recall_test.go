package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/doneby/doneby/internal/knowledge"
)

const head = `package p; import ("context"; "database/sql"; "net/http"; "os/exec"; "time")
var _ sql.DB; var _ http.Client; var _ exec.Cmd; var _ time.Duration; var _ context.Context
`

const rows = `
(*database/sql.DB).QueryContext   waits ctx=0 use=(*database/sql.DB).QueryContext
(*database/sql.DB).ExecContext    waits ctx=0
(*net/http.Client).Do             waits ctx=0.Context()
os/exec.CommandContext            binds ctx=0
`

// Each case is a function and the broken forms of it, "kind: text of the line that changed".
var cases = []struct {
	name, src string
	want      []string
}{
	{"argument and twin",
		"func f(ctx context.Context, db *sql.DB) {\n\tdb.QueryContext(ctx, \"q\")\n}",
		[]string{`argument: db.QueryContext(context.Background(), "q")`, `twin: db.Query("q")`}},
	{"no argument left",
		"func f(ctx context.Context) {\n\texec.CommandContext(ctx, \"ls\").Run()\n}",
		[]string{`twin: exec.Command("ls").Run()`}},
	{"local variable keeps a use",
		"func f(ctx context.Context, db *sql.DB) {\n\tc := context.WithValue(ctx, 1, 2)\n\tif _, err := db.ExecContext(c, \"q\"); err != nil {\n\t}\n}",
		[]string{
			`argument: _ = c; if _, err := db.ExecContext(context.Background(), "q"); err != nil {`,
			`twin: _ = c; if _, err := db.Exec("q"); err != nil {`,
		}},
	{"timeout",
		"func f(ctx context.Context, db *sql.DB) {\n\tctx, cancel := context.WithTimeout(ctx, time.Second)\n\tdefer cancel()\n\tdb.ExecContext(ctx, \"q\")\n}",
		[]string{
			`argument: db.ExecContext(context.Background(), "q")`,
			`timeout: ctx, cancel := context.WithTimeout(context.Background(), time.Second)`,
			`twin: db.Exec("q")`,
		}},
	{"request",
		"func f(r *http.Request, c *http.Client) {\n\treq, _ := http.NewRequestWithContext(r.Context(), \"GET\", \"u\", nil)\n\tc.Do(req)\n}",
		[]string{`request: req, _ := http.NewRequest("GET", "u", nil)`}},
	{"one above a request",
		"func f(r *http.Request) {\n\tsend(r.Context())\n}\nfunc send(ctx context.Context) error { req, _ := http.NewRequestWithContext(ctx, \"GET\", \"u\", nil); _, err := http.DefaultClient.Do(req); return err }",
		[]string{
			`one-up: send(context.Background())`,
			`request: func send(ctx context.Context) error { req, _ := http.NewRequest("GET", "u", nil); _, err := http.DefaultClient.Do(req); return err }`,
		}},
	{"request not sent here",
		"func f(ctx context.Context) (*http.Request, error) {\n\treturn http.NewRequestWithContext(ctx, \"GET\", \"u\", nil)\n}", nil},
	{"one and two up",
		"func f(ctx context.Context) {\n\ttwo(ctx)\n\tone(ctx)\n}\nfunc two(ctx context.Context) error { return one(ctx) }\nfunc one(ctx context.Context) error { var db sql.DB; _, err := db.QueryContext(ctx, \"q\"); return err }",
		[]string{
			`argument: func one(ctx context.Context) error { var db sql.DB; _, err := db.QueryContext(context.Background(), "q"); return err }`,
			`one-up: func two(ctx context.Context) error { return one(context.Background()) }`,
			`one-up: one(context.Background())`,
			`twin: func one(ctx context.Context) error { var db sql.DB; _, err := db.Query("q"); return err }`,
			`two-up: two(context.Background())`,
		}},
	{"not inherited", "func f(db *sql.DB) {\n\tctx := context.Background()\n\tdb.QueryContext(ctx, \"q\")\n}", nil},
	{"sometimes not inherited", "func f(ctx context.Context, db *sql.DB, b bool) {\n\tif b {\n\t\tctx = context.TODO()\n\t}\n\tdb.QueryContext(ctx, \"q\")\n}", nil},
	{"goroutine", "func f(ctx context.Context, db *sql.DB) {\n\tgo func() { db.QueryContext(ctx, \"q\") }()\n}", nil},
	{"defer", "func f(ctx context.Context, db *sql.DB) {\n\tdefer db.ExecContext(ctx, \"q\")\n}", nil},
	{"after done", "func f(ctx context.Context, db *sql.DB) {\n\tselect {\n\tcase <-ctx.Done():\n\t\tdb.ExecContext(ctx, \"q\")\n\t}\n}", nil},
	{"cleanup", "func CloseAll(ctx context.Context, db *sql.DB) {\n\tdb.ExecContext(ctx, \"q\")\n}", nil},
	{"deaf",
		"func f(ctx context.Context, c chan int) {\n\tselect {\n\tcase <-ctx.Done():\n\t\treturn\n\tcase c <- 1:\n\t}\n}",
		[]string{"deaf: select {"}},
	{"deaf, the other way round, of a request",
		"func f(r *http.Request, c chan int) int {\n\tselect {\n\tcase v := <-c:\n\t\treturn v\n\tcase <-r.Context().Done():\n\t\treturn 0\n\t}\n}",
		[]string{"deaf: select {"}},
	{"deaf, where the other side hears the context and closes",
		"func f(ctx context.Context, db *sql.DB) {\n\tc := make(chan int)\n\tgo func() {\n\t\tdefer close(c)\n\t\tselect {\n\t\tcase c <- 1:\n\t\tcase <-ctx.Done():\n\t\t}\n\t}()\n\tselect {\n\tcase <-c:\n\tcase <-ctx.Done():\n\t}\n}",
		[]string{"deaf: select {"}},
	{"deaf, where the other side hears the context and goes",
		"func f(ctx context.Context, db *sql.DB) {\n\tc := make(chan int)\n\tgo func() {\n\t\tselect {\n\t\tcase c <- 1:\n\t\tcase <-ctx.Done():\n\t\t}\n\t}()\n\tselect {\n\tcase <-c:\n\tcase <-ctx.Done():\n\t}\n}",
		[]string{"deaf: select {", "deaf: select {"}},
	{"deaf, where the answer of a query is sent in the end",
		"func f(ctx context.Context, db *sql.DB) error {\n\tc := make(chan error, 1)\n\tgo func() {\n\t\t_, err := db.ExecContext(ctx, \"q\")\n\t\tc <- err\n\t}()\n\tselect {\n\tcase err := <-c:\n\t\treturn err\n\tcase <-ctx.Done():\n\t\treturn ctx.Err()\n\t}\n}", nil},
	{"deaf, where nobody can tell how long the other side takes",
		"func f(ctx context.Context, db *sql.DB) error {\n\tc := make(chan error, 1)\n\tgo func() {\n\t\t_, err := db.Exec(\"q\")\n\t\tc <- err\n\t}()\n\tselect {\n\tcase err := <-c:\n\t\treturn err\n\tcase <-ctx.Done():\n\t\treturn ctx.Err()\n\t}\n}",
		[]string{"deaf: select {"}},
	{"untested, where the loop is left anyway",
		"func f(ctx context.Context, try func() error) error {\n\tfor {\n\t\tif err := try(); err != nil {\n\t\t\tif ctx.Err() != nil {\n\t\t\t\treturn ctx.Err()\n\t\t\t}\n\t\t\treturn err\n\t\t}\n\t}\n}", nil},
	{"untested, where the work of the next round hears the context",
		"func f(ctx context.Context, db *sql.DB) error {\n\tfor {\n\t\tif err := ctx.Err(); err != nil {\n\t\t\treturn err\n\t\t}\n\t\t_, err := db.ExecContext(ctx, \"q\")\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n}",
		[]string{`argument: _, err := db.ExecContext(context.Background(), "q")`, `twin: _, err := db.Exec("q")`}},
	{"deaf, the first thing in a channel with room",
		"func f(ctx context.Context, v int) {\n\tc := make(chan int, 1)\n\tselect {\n\tcase c <- v:\n\tcase <-ctx.Done():\n\t}\n\tselect {\n\tcase c <- v:\n\tcase <-ctx.Done():\n\t}\n}",
		[]string{"deaf: select {"}},
	{"deaf, under a context that does not end",
		"func f(ctx context.Context, c chan int) {\n\tselect {\n\tcase <-c:\n\tcase <-ctx.Done():\n\t}\n}\nfunc g(c chan int) { f(context.Background(), c) }", nil},
	{"three cases, or a default",
		"func f(ctx context.Context, c, d chan int) {\n\tselect {\n\tcase <-ctx.Done():\n\tcase <-c:\n\tcase <-d:\n\t}\n\tselect {\n\tcase <-ctx.Done():\n\tdefault:\n\t}\n}", nil},
	{"sleep",
		"func f(ctx context.Context) error {\n\tselect {\n\tcase <-ctx.Done():\n\t\treturn ctx.Err()\n\tcase <-time.After(time.Second):\n\t}\n\treturn nil\n}",
		[]string{"sleep: {"}},
	{"untested",
		"func f(ctx context.Context, try func() error) error {\n\tfor {\n\t\terr := try()\n\t\tif err == nil || ctx.Err() != nil {\n\t\t\treturn err\n\t\t}\n\t\ttime.Sleep(time.Second)\n\t}\n}",
		[]string{"untested: if err == nil || false {"}},
	{"untested alone",
		"func f(ctx context.Context, try func() bool) error {\n\tfor i := 0; i < 3; i++ {\n\t\tif err := ctx.Err(); err != nil {\n\t\t\treturn err\n\t\t}\n\t\ttry()\n\t}\n\treturn nil\n}",
		[]string{"untested:"}},
	{"tested twice, or over a range",
		"func f(ctx context.Context, try func() error) {\n\tfor ctx.Err() == nil {\n\t\tif ctx.Err() != nil {\n\t\t\treturn\n\t\t}\n\t}\n\tfor range 3 {\n\t\tif ctx.Err() != nil {\n\t\t\treturn\n\t\t}\n\t}\n}", nil},
	{"shadowed", "func f(ctx context.Context, db *sql.DB) {\n\tcontext := 1\n\t_ = context\n\tdb.ExecContext(ctx, \"q\")\n}",
		[]string{`twin: db.Exec("q")`}},
}

// check type-checks a file.
func check(t *testing.T, src string) source {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Importer: imports}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return source{fset, info, pkg, file, []byte(src)}
}

var imports = importer.ForCompiler(token.NewFileSet(), "gc", nil)

func tables(t *testing.T) *waits {
	t.Helper()
	parsed, err := knowledge.Parse("rows", strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	w := newWaits(knowledge.Builtin().With(parsed))
	w.own["p"] = true
	return w
}

func TestMutators(t *testing.T) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			w := tables(t)
			src := check(t, head+tt.src)
			w.learn([]*packages.Package{{TypesInfo: src.info, Syntax: []*ast.File{src.file}}})
			var got []string
			for _, s := range w.fileSites(src) {
				broken := apply(src.text, s.edits)
				check(t, string(broken)) // what is broken compiles
				if a, b := strings.Count(string(src.text), "\n"), strings.Count(string(broken), "\n"); a != b {
					t.Errorf("%s: %d lines became %d", s.kind, a, b)
				}
				line := strings.Split(string(broken), "\n")[s.line-1]
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s: %s", s.kind, strings.TrimSpace(line))))
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"))
			}
		})
	}
}

func TestImportAdded(t *testing.T) {
	src := check(t, "package p; import \"database/sql\"; import \"net/http\"\n\nfunc f(r *http.Request, db *sql.DB) {\n\tdb.QueryContext(r.Context(), \"q\")\n}\n")
	for _, s := range tables(t).fileSites(src) {
		if s.kind != argument {
			continue
		}
		broken := string(apply(src.text, s.edits))
		check(t, broken)
		if !strings.HasPrefix(broken, `package p; import "context"; import`) {
			t.Errorf("no import:\n%s", broken)
		}
		return
	}
	t.Error("no site of kind argument")
}

func TestReadList(t *testing.T) {
	name := filepath.Join(t.TempDir(), "modules.txt")
	for text, want := range map[string]string{
		"# a list\na.b/c@v1.2.3 # why\n\n": "[a.b/c@v1.2.3]",
		"a.b/c@v1.0.0\na.b/c\n":            "2:1: \"a.b/c\" is no module@version",
		"# nothing\n":                      "names no module",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := readList(name)
		if said := fmt.Sprint(got, err); !strings.Contains(said, want) {
			t.Errorf("%q: %s, want %s", text, said, want)
		}
	}
}

func TestOrderIsStable(t *testing.T) {
	m := &module{name: "m", dir: "/m"}
	sites := []*site{{module: m, file: "/m/a", line: 1, kind: argument}, {module: m, file: "/m/b", line: 1, kind: twin}, {module: m, file: "/m/a", line: 1, kind: twin}}
	a := slices.Clone(sites)
	slices.Reverse(sites)
	sortByHash(a)
	sortByHash(sites)
	if !slices.Equal(a, sites) {
		t.Error("the order depends on where one begins")
	}
}
