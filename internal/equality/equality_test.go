package equality

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestWritten compares the drivers on small packages that were written for it, and wants something in each of them that
// is no idle folder: two drivers that find nothing agree too.
func TestWritten(t *testing.T) {
	m := written(t)
	found := compare(t, m)
	folders := make(map[string]bool)
	seen := make(map[string]bool)
	for _, f := range found {
		folder, _, _ := strings.Cut(f.file, "/")
		folders[folder], seen[f.rule] = true, true
	}
	dirs, err := os.ReadDir(m.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if d.IsDir() && !folders[d.Name()] {
			t.Errorf("nothing is found in equal_%s.txtar", d.Name())
		}
	}
	for _, rule := range append(rules(), "ignores") {
		if !seen[rule] {
			t.Errorf("%s finds nothing", rule)
		}
	}
	if t.Failed() {
		t.Log(found)
	}
}

// TestCases compares them on the cases, which use real libraries.
func TestCases(t *testing.T) {
	for _, m := range cases(t) {
		t.Run(m.name, func(t *testing.T) {
			if found := compare(t, m); len(found) == 0 {
				t.Error("nothing is found")
			}
		})
	}
}

// TestModules compares them on the modules that DONEBY_MODULES names.
func TestModules(t *testing.T) {
	ms := named(t)
	if len(ms) == 0 {
		t.Skip("DONEBY_MODULES names no module: make equality does")
	}
	for _, m := range ms {
		t.Run(m.name, func(t *testing.T) { compare(t, m) })
	}
}

// compare wants every driver to find what the first one finds, and returns it.
func compare(t *testing.T, m module) []finding {
	t.Helper()
	doneby(t)
	golangci(t) // both before anything runs: who edits while this test runs would compare two states of the source
	var want []finding
	for i, d := range drivers {
		start := time.Now()
		got := d.run(t, m)
		t.Logf("%s, %s: %d findings in %.1fs", m.name, d.name, len(got), time.Since(start).Seconds())
		if i == 0 {
			want = got
			continue
		}
		if diff := difference(drivers[0].name, want, d.name, got); diff != "" {
			t.Errorf("%s: %s and %s differ:\n%s", m.name, drivers[0].name, d.name, diff)
		}
	}
	return want
}

// TestTestFiles wants the findings in a package's other files to be the same with and without its tests.
func TestTestFiles(t *testing.T) {
	m := written(t)
	without := runDoneby(t, m)
	with := runDoneby(t, m, "-tests")
	inTests := len(with)
	with = slices.DeleteFunc(with, func(f finding) bool { return strings.HasSuffix(f.file, "_test.go") })
	if diff := difference("without tests", without, "with tests", with); diff != "" {
		t.Error(diff)
	}
	if inTests == len(with) {
		t.Error("nothing is found in test files with -tests")
	}
}

// TestCustomFile wants .custom-gcl.yml to name the golangci-lint that is tested here, and the package of the plugin.
func TestCustomFile(t *testing.T) {
	custom := must(t, func() ([]byte, error) { return os.ReadFile(filepath.Join(root, ".custom-gcl.yml")) })
	mod := must(t, func() ([]byte, error) { return os.ReadFile(filepath.Join(root, "testdata", "golangci", "go.mod")) })
	_, after, _ := strings.Cut(string(mod), "github.com/golangci/golangci-lint/v2 ")
	version, _, _ := strings.Cut(after, "\n")
	for _, want := range []string{"version: " + version + "\n", "module: github.com/doneby/doneby\n", "import: github.com/doneby/doneby/cmd/golangci\n"} {
		if !strings.Contains(string(custom), want) {
			t.Errorf(".custom-gcl.yml has no %q", want)
		}
	}
}
