package equality

import (
	"io/fs"
	"os"
	"strings"
	"testing"
)

// TestFixes wants the same files from every driver that applies fixes.
func TestFixes(t *testing.T) {
	before := written(t)
	var want map[string]string
	for i, fixer := range []struct {
		name string
		fix  func(m module)
	}{
		{"standalone", func(m module) {
			command{dir: m.dir, may: []int{1}}.run(t, doneby(t), "-rules="+rulesFlag(), "-fix", "./...")
		}},
		{"vet", func(m module) {
			command{dir: m.dir}.run(t, "go", "vet", "-vettool="+doneby(t), "-settings.rules="+rulesFlag(), "-fix", "./...")
		}},
		{"golangci", func(m module) {
			command{dir: m.dir, may: []int{1}, env: []string{"GOLANGCI_LINT_CACHE=" + t.TempDir()}}.run(t, golangci(t),
				"run", "--fix", "--allow-parallel-runners", "--config="+golangciFile(t), "--enable-only=doneby", "./...")
		}},
	} {
		m := module{fixer.name, folder(t)}
		if err := os.CopyFS(m.dir, os.DirFS(before.dir)); err != nil {
			t.Fatal(err)
		}
		fixer.fix(m)
		got := goFiles(t, m.dir)
		if i == 0 {
			want = got
			if changed(goFiles(t, before.dir), want) == "" {
				t.Error("standalone applies no fix: nothing is compared")
			}
			continue
		}
		if diff := changed(want, got); diff != "" {
			t.Errorf("standalone and %s leave different files:\n%s", fixer.name, diff)
		}
	}
}

// goFiles returns the Go files below dir, by name.
func goFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	fsys := os.DirFS(dir)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// changed shows the lines of a and of b that are not in the other, file by file.
func changed(a, b map[string]string) string {
	var out strings.Builder
	for name, x := range a {
		y := b[name]
		if x == y {
			continue
		}
		out.WriteString(name + "\n")
		for line := range strings.Lines(x) {
			if !strings.Contains(y, line) {
				out.WriteString("- " + line)
			}
		}
		for line := range strings.Lines(y) {
			if !strings.Contains(x, line) {
				out.WriteString("+ " + line)
			}
		}
	}
	return out.String()
}
