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
