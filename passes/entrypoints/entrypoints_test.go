package entrypoints

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/passtest"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// The library of the test, which the tables of the test speak about.
const frame = `package frame
import "context"
type Handler interface { Serve(n int) }
type Request struct{}
type Command struct { RunE func(*Command, []string) error; Hook func(int) }
func (*Command) Context() context.Context { return nil }
func Handle(pattern string, f ...func()) {}
func Subscribe(f func()) {}
func Each(f func()) {}
func Other(f func()) {}
`

const rows = `
example.com/frame.Handle           enters func=1
example.com/frame.Subscribe        enters func=0
example.com/frame.Each             calls func=0
(example.com/frame.Handler).Serve  enters
`

const lib = `package lib
import "example.com/frame"
func Register(n int, f func()) { if n > 0 { frame.Handle("x", f) } }
func Through(f func()) { Register(1, f) }
func Registered() {}
func Free(f func()) { f() }
func init() { Through(Registered) }
`

const prog = `package main
import ("context"; "example.com/frame"; "example.com/lib")

type server struct{}
func (*server) Serve(n int) {}
func (*server) Handle(n int) {}
type message struct{}
func (*message) ProtoMessage() {}
func (*server) Get(ctx context.Context, m *message) (*message, error) { return nil, nil }
func (*server) get(ctx context.Context, m *message) (*message, error) { return nil, nil }

func handler() { inHandler() }
func inHandler() {}
func viaLib() {}
func notRegistered() {}
func command(c *frame.Command, args []string) error { return nil }
func hook(int) {}
var root = &frame.Command{RunE: command, Hook: hook}

func main() {
	setup()
	frame.Handle("a", handler, func() { registeredLiteral() })
	lib.Through(viaLib)
	lib.Free(notRegistered)
	frame.Each(func() { each() })
	frame.Other(func() { other() })
	go worker()
	defer cleanup()
	func() { direct() }()
	call(func() { called() })
	keep(func() { kept() })
	shared()
}
func init() { initialised() }
func setup() { deep(); shared() }
func deep() {}
func registeredLiteral() {}
func each() {}
func other() {}
func worker() {}
func cleanup() {}
func direct() {}
func call(f func()) { f() }
func called() {}
func keep(f func()) { stored = f }
var stored func()
func kept() {}
func shared() {}
func initialised() {}
func spawned() {}
func unused() { go spawned(); spawned() }
`

// analyse runs the pass over the three packages, with the rows for the library.
func analyse(t *testing.T) []*passtest.Result {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "frame.txt"), []byte("# example.com/frame\n# checked: v1.0.0\n"+rows), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg, err := settings.Parse(filepath.Join(dir, settings.FileName), []byte("tables: [frame.txt]\n"))
	if err != nil {
		t.Fatal(err)
	}
	settings.Use(cfg)
	t.Cleanup(func() { settings.Use(nil) })
	return passtest.Run(t, Analyzer, passtest.One("example.com/frame", frame), passtest.One("example.com/lib", lib),
		passtest.One("example.com/main", prog))
}

func names(fns []*ssa.Function, is func(*ssa.Function) bool) string {
	var out []string
	for _, fn := range fns {
		if is(fn) && fn.Parent() == nil {
			out = append(out, fn.Name())
		}
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}

func TestResult(t *testing.T) {
	res := analyse(t)[2]
	r := res.Value.(*Result)
	funcs := ir.Of(res.Pass).Funcs
	tests := []struct {
		what string
		is   func(*ssa.Function) bool
		want string
	}{
		{"Entry", r.Entry, "Get Serve command handler viaLib"},
		{"OneShot", r.OneShot, "call called cleanup deep direct each init#1 initialised keep main setup shared"},
		{"ForegroundMain", r.ForegroundMain, "call cleanup direct keep main setup"},
	}
	for _, tt := range tests {
		if got := names(funcs, tt.is); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.what, got, tt.want)
		}
	}
	if r.TestHelper() {
		t.Error("TestHelper = true, want false")
	}
}

func TestFacts(t *testing.T) {
	want := []string{"Register: registers 1", "Registered: enters", "Through: registers 0"}
	if got := analyse(t)[1].Facts(); !reflect.DeepEqual(got, want) {
		t.Errorf("facts %q, want %q", got, want)
	}
}

func TestTestHelper(t *testing.T) {
	const library, plain = "package p\nimport \"testing\"\nfunc Check(t *testing.T) {}\n", "package p\n"
	const recorder = "package p\nimport h \"net/http/httptest\"\nfunc keep() any { return h.NewRecorder() }\n" // programs at work keep an answer so
	for _, c := range []struct {
		path, file, src string
		want            bool
	}{
		{"example.com/p", "a.go", library, true},
		{"example.com/p", "a_test.go", library, false},
		{"example.com/test/p", "a.go", plain, true},
		{"example.com/p/testutil", "a.go", plain, true},
		{"example.com/latest", "a.go", plain, false},
		{"example.com/p", "a.go", recorder, false},
		{"example.com/p", "a.go", strings.Replace(recorder, "NewRecorder()", "NewServer(nil)", 1), true},
		{"example.com/p", "a.go", "package p\nimport \"testing\"\nvar quiet = testing.Testing()\n", false},
	} {
		res := passtest.Run(t, Analyzer, passtest.Package{Path: c.path, Files: map[string]string{c.file: c.src}})
		if got := res[0].Value.(*Result).TestHelper(); got != c.want {
			t.Errorf("%s/%s: TestHelper = %v, want %v", c.path, c.file, got, c.want)
		}
	}
}

// TestTestCode asks who is there for tests in packages of one file with a test library and some more without.
func TestTestCode(t *testing.T) {
	double := "package p\nimport \"testing\"\nfunc Double(t *testing.T) { func() {}() }\n"
	for _, c := range []struct {
		path         string
		more         int
		double, work bool
	}{
		{"example.com/p", 1, true, true},
		{"example.com/p", 7, true, true},
		{"example.com/p", 8, true, false},
		{"example.com/p/testutil", 20, true, true},
	} {
		files := map[string]string{"double.go": double}
		for i := range c.more {
			files[fmt.Sprintf("work%d.go", i)] = fmt.Sprintf("package p\nfunc Work%d() {}\n", i)
		}
		files["double_test.go"] = "package p\nimport \"testing\"\nfunc TestX(t *testing.T) {}\n"
		values := passtest.Run(t, testCodeOf, passtest.Package{Path: c.path, Files: files})
		got := values[0].Value.(map[string]bool)
		if got["Double"] != c.double || got["Work0"] != c.work {
			t.Errorf("%s with %d files more: %v", c.path, c.more, got)
		}
	}
}

// testCodeOf tells of each declared function whether it is there for tests.
var testCodeOf = &analysis.Analyzer{
	Name: "testcode", Doc: "tell which functions are there for tests",
	Requires: []*analysis.Analyzer{Analyzer, ir.Analyzer, settings.Analyzer}, ResultType: reflect.TypeFor[map[string]bool](),
	Run: func(pass *analysis.Pass) (any, error) {
		out := map[string]bool{}
		for _, fn := range ir.Of(pass).Funcs {
			out[fn.Name()] = Of(pass).TestCode(fn)
		}
		return out, nil
	},
}

func TestExample(t *testing.T) {
	for path, want := range map[string]bool{
		"example.org/m/examples/chat":     true,
		"example.org/m/_samples":          true,
		"example.org/m/cmd/bulkbench":     true,
		"example.org/m/interop/http09":    true,
		"example.org/m/cmd/mockbackend":   true,
		"example.org/metadata-mock/api":   true,
		"example.org/m/cmd/tester":        true,
		"example.org/m/pkg/loadtester":    true,
		"example.org/m/devtools/cmd/show": true,
		"example.org/m/dummy":             true,
		"example.org/m/integration/s3":    false,
		"example.org/m/workbenches":       false,
		"example.org/m/interoperate":      false,
	} {
		if got := isExample(types.NewPackage(path, "p")); got != want {
			t.Errorf("isExample(%q) = %v, want %v", path, got, want)
		}
	}
	if !isExample(types.NewPackage("example.org/m/integration/s3", "main")) {
		t.Error("a program beside integration tests is no example")
	}
}
