package main

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestRewrites has the command apply the fixes that internal/rewrites tests one by one, all in one module: -diff shows them and
// changes nothing, after -fix each file is as wanted, go vet compiles it, and a second run finds only what has no fix.
func TestRewrites(t *testing.T) {
	archives, err := filepath.Glob("../../internal/rewrites/testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	dir := filepath.Join(t.TempDir(), "m")
	put(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	before, after := make(map[string]string), make(map[string]string)
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			p := strings.TrimSuffix(filepath.Base(name), ".txtar") + "/" + path.Dir(f.Name) + "/p.go"
			if path.Base(f.Name) == "after.go" {
				after[p] = string(f.Data)
				continue
			}
			before[p] = string(f.Data)
			put(t, dir, p, string(f.Data))
		}
	}
	const rules = "-rules=+ctxless,+deafwait,+detached,+fixedtimeout,+unbounded"
	diff, stderr, status := run(t, doneby(t, dir, rules, "-diff", "./..."))
	if status != 1 {
		t.Fatalf("-diff exits %d: %s", status, stderr)
	}
	for p, src := range before {
		if _, fixed := after[p]; strings.Contains(diff, "+++ b/"+p+"\n") != fixed {
			t.Errorf("%s: -diff has it: %t", p, !fixed)
		}
		if got := read(t, dir, p); got != src {
			t.Errorf("-diff changed %s", p)
		}
	}
	if _, stderr, _ := run(t, doneby(t, dir, rules, "-fix", "./...")); stderr != "" {
		t.Errorf("-fix says %s", stderr)
	}
	for p, want := range after {
		if got := read(t, dir, p); got != want {
			t.Errorf("%s after -fix:\n%s\nwant:\n%s", p, got, want)
		}
	}
	vet := exec.CommandContext(t.Context(), "go", "vet", "./...")
	vet.Dir = dir
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
	again, _, _ := run(t, doneby(t, dir, rules, "./..."))
	for line := range strings.Lines(again) {
		if p, _, _ := strings.Cut(line, ":"); after[filepath.ToSlash(p)] != "" {
			t.Errorf("after -fix: %s", line)
		}
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
