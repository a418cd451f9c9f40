package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFiguresFresh fails when a committed result no longer belongs to its inputs.
func TestFiguresFresh(t *testing.T) {
	stale, err := Stale("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, why := range stale {
		t.Error(why)
	}
}

// TestPagesThere: a page that is listed and gone would be fresh for ever.
func TestPagesThere(t *testing.T) {
	for _, page := range Pages {
		if _, err := os.Stat(filepath.Join("../..", page)); err != nil {
			t.Error(err)
		}
	}
}

// TestStampFile stamps a result and a page twice: the second header is in the place of the first, and the rest stays.
func TestStampFile(t *testing.T) {
	const page = "# Title\n\n26 of 30\n"
	for name, text := range map[string]string{Pages[0]: page, "docs/figures/score.txt": "26 of 30\n"} {
		root := t.TempDir()
		write(t, filepath.Join(root, "a.go"), "package a")
		write(t, filepath.Join(root, name), text)
		for _, source := range []string{"package a", "package b"} {
			write(t, filepath.Join(root, "a.go"), source)
			if stale, err := Stale(root); err != nil || len(stale) != 1 {
				t.Errorf("%s, not stamped since: %q, %v", name, stale, err)
			}
			if err := StampFile(root, name, "make x", "*.go"); err != nil {
				t.Fatal(err)
			}
			if stale, err := Stale(root); err != nil || len(stale) != 0 {
				t.Errorf("%s, stamped: %q, %v", name, stale, err)
			}
		}
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(string(got), text) || strings.Count(string(got), "hash: ") != 1 {
			t.Errorf("%s is\n%s", name, got)
		}
	}
	if err := StampFile(t.TempDir(), "docs/figures/gone.txt", "make x", "*.go"); err == nil {
		t.Error("nothing was stamped, and there is no error")
	}
}

// write makes the file and its folders.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestStale stamps a result, changes one thing, and wants it to be stale when that thing can change results.
func TestStale(t *testing.T) {
	const result = "docs/figures/score.txt"
	for _, tt := range []struct {
		name         string
		change, text string // a file, and what is written to it
		want         string // in the complaint, or "" for none
	}{
		{"nothing", "", "", ""},
		{"source", "pkg/a.go", "package b", "run make score"},
		{"new source", "pkg/sub/b.go", "package b", "run make score"},
		{"data", "pkg/data/x.txt", "x", "run make score"},
		{"test", "pkg/a_test.go", "package b", ""},
		{"page", "pkg/README.md", "b", ""},
		{"hidden", "pkg/.cache/x.go", "b", ""},
		{"elsewhere", "other/a.go", "package b", ""},
		{"single file", "go.mod", "module y", "run make score"},
		{"result", result, "no header\n", "no line"},
		{"inputs", result, "# inputs: gone/...\n# made by: make score\n# hash: 1\n", "gone/... names no file"},
		{"glob", result, "# inputs: *.sum\n# made by: make score\n# hash: 1\n", "*.sum names no file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, filepath.Join(root, "go.mod"), "module x")
			write(t, filepath.Join(root, "pkg/a.go"), "package a")
			stamp, err := Stamp(root, "make score", "pkg/...", "go.*")
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(root, result), stamp+"26 of 30\n")
			if tt.change != "" {
				write(t, filepath.Join(root, tt.change), tt.text)
			}
			stale, err := Stale(root)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(stale, "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
