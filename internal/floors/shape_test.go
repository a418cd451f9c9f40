package floors

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	root         = "../.."
	longestFunc  = 60
	longestFile  = 300
	nothingNames = "util utils helper helpers common base misc core"
)

// sources calls visit for each Go file of the repository but those of testdata, nested modules included.
func sources(t *testing.T, visit func(name string, src []byte)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() && name != "." && (base == "testdata" || base[0] == '.' || base[0] == '_') {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		src, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			visit(name, src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestShape(t *testing.T) {
	seen := 0
	sources(t, func(name string, src []byte) {
		seen++
		for _, msg := range misshapen(name, src) {
			t.Error(msg)
		}
	})
	if seen < 10 {
		t.Errorf("the walk from %s sees %d Go files", root, seen)
	}
}

// misshapen says what is wrong with the shape of one file.
func misshapen(name string, src []byte) (msgs []string) {
	if formatted, err := format.Source(src); err != nil {
		return []string{fmt.Sprintf("%s does not parse: %v", name, err)}
	} else if !bytes.Equal(formatted, src) {
		msgs = append(msgs, name+" is not in gofmt's form: run gofmt -w")
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return append(msgs, err.Error())
	}
	if slices.Contains(strings.Fields(nothingNames), strings.TrimSuffix(f.Name.Name, "_test")) {
		msgs = append(msgs, fmt.Sprintf("%s: package %s says nothing of what is in it", name, f.Name.Name))
	}
	test := strings.HasSuffix(name, "_test.go")
	if lines := bytes.Count(src, []byte("\n")); lines > longestFile && !test {
		msgs = append(msgs, fmt.Sprintf("%s has %d lines, more than %d: one idea a file", name, lines, longestFile))
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		lines := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1
		if lines > longestFunc && !test {
			msgs = append(msgs, fmt.Sprintf("%s: %s has %d lines, more than %d", fset.Position(fn.Pos()), fn.Name.Name, lines, longestFunc))
		}
		if fn.Name.Name == "init" && fn.Recv == nil && !strings.HasPrefix(name, "cmd/golangci/") {
			msgs = append(msgs, fmt.Sprintf("%s: an init: the only one is that of cmd/golangci", fset.Position(fn.Pos())))
		}
	}
	return msgs
}

// TestMisshapen shows that TestShape can fail.
func TestMisshapen(t *testing.T) {
	long := "package p\n\nfunc f() {\n" + strings.Repeat("\tf()\n", longestFunc) + "}\n"
	for _, tt := range []struct{ name, src, want string }{
		{"a/p.go", "package p\n", ""},
		{"a/p.go", "package p\nvar  x int\n", "a/p.go is not in gofmt's form"},
		{"a/p.go", "package p\n\nfunc {\n", "a/p.go does not parse"},
		{"a/p.go", long, "a/p.go:3:1: f has 62 lines, more than 60"},
		{"a/p_test.go", long, ""},
		{"a/p.go", "package p\n" + strings.Repeat("\n// x\n", 150), "a/p.go has 301 lines, more than 300"},
		{"a/p.go", "package util\n", "package util says nothing"},
		{"a/p.go", "package p\n\nfunc init() {}\n", "a/p.go:3:1: an init"},
		{"cmd/golangci/p.go", "package p\n\nfunc init() {}\n", ""},
	} {
		got := strings.Join(misshapen(tt.name, []byte(tt.src)), "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestRuleFolders wants each rule's folder to hold its three files and nothing else.
func TestRuleFolders(t *testing.T) {
	rules, err := os.ReadDir(filepath.Join(root, "analyzers"))
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range rules {
		name := rule.Name()
		if !rule.IsDir() || name == "ignores" {
			continue // the list; no rule
		}
		files, err := os.ReadDir(filepath.Join(root, "analyzers", name))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range files {
			got = append(got, f.Name())
		}
		if want := []string{"README.md", name + ".go", name + "_test.go"}; !slices.Equal(got, want) {
			t.Errorf("analyzers/%s holds %q, want %q", name, got, want)
		}
	}
}

// TestRuntimeApart wants no arrow out of the runtime package: it is in other modules, so it must not know the linter, and the
// core of it nothing but the standard library.
func TestRuntimeApart(t *testing.T) {
	sources(t, func(name string, src []byte) {
		if !strings.HasPrefix(name, "deadline/") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			return
		}
		for _, imp := range f.Imports {
			to := strings.Trim(imp.Path.Value, `"`)
			core := path.Dir(name) == "deadline" || strings.HasPrefix(name, "deadline/sim/")
			ours := to == module+"/deadline" || strings.HasPrefix(to, module+"/deadline/")
			if strings.HasPrefix(to, module+"/") && !ours || core && !ours && strings.Contains(to, ".") {
				t.Errorf("%s imports %s: the runtime package stands apart", name, to)
			}
		}
	})
}
