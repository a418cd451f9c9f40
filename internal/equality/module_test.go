package equality

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// A module is what the drivers are compared on.
type module struct {
	name string
	dir  string // an absolute path without symbolic links: every driver says it in the same way
}

// written lays all archives testdata/drivers/equal_*.txtar out as one module, each in a folder of its name, so that they
// cost one load. In an archive, EQUAL stands for the import path of its folder.
func written(t *testing.T) module {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(root, "testdata", "drivers", "equal_*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives in testdata/drivers: %v", err)
	}
	dir := folder(t)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/equal\n\ngo 1.26\n")
	for _, name := range archives {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sub := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "equal_"), ".txtar")
		for _, f := range ar.Files {
			text := bytes.ReplaceAll(f.Data, []byte("EQUAL"), []byte("example.com/equal/"+sub))
			write(t, filepath.Join(dir, sub, filepath.FromSlash(f.Name)), string(text))
		}
	}
	return module{"written", dir}
}

// folder returns a new folder in the form of module.dir.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// cases returns the modules of testdata/cases, as they are.
func cases(t *testing.T) []module {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "testdata", "cases", "*", "go.mod"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no modules in testdata/cases: %v", err)
	}
	var ms []module
	for _, name := range files {
		dir, err := filepath.Abs(filepath.Dir(name))
		if err != nil {
			t.Fatal(err)
		}
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			t.Fatal(err)
		}
		ms = append(ms, module{"cases-" + filepath.Base(dir), dir})
	}
	return ms
}

// named returns the modules that DONEBY_MODULES lists as path@version with blanks between them, copied: the module cache
// is no place to work in.
func named(t *testing.T) []module {
	t.Helper()
	var ms []module
	for _, spec := range strings.Fields(os.Getenv("DONEBY_MODULES")) {
		out, err := exec.Command("go", "mod", "download", "-json", spec).Output()
		if err != nil {
			t.Fatalf("go mod download %s: %v\n%s", spec, err, out)
		}
		var got struct{ Dir string }
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		dir := folder(t)
		if err := os.CopyFS(dir, os.DirFS(got.Dir)); err != nil {
			t.Fatal(fmt.Errorf("copy %s: %w", spec, err))
		}
		ms = append(ms, module{spec, dir})
	}
	return ms
}
