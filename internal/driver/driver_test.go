package driver_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"

	"github.com/doneby/doneby/internal/driver"
)

// unpack writes an archive of testdata/drivers into a new directory.
func unpack(t *testing.T, name string) string {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("..", "..", "testdata", "drivers", name))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "a module") // every test has a blank in its paths
	for _, f := range ar.Files {
		write(t, dir, f.Name, string(f.Data))
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// edit replaces text in a file, which must have it.
func edit(t *testing.T, dir, name, old, new string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %q", name, old)
	}
	write(t, dir, name, strings.Replace(string(data), old, new, 1))
}

func options(t *testing.T, dir string) driver.Options {
	t.Helper()
	return driver.Options{Dir: dir, Analyzers: []*analysis.Analyzer{toy}, CacheDir: t.TempDir()}
}

func run(t *testing.T, o driver.Options) *driver.Report {
	t.Helper()
	r, err := driver.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines shows a report in a few lines: findings, then problems.
func lines(dir string, r *driver.Report) []string {
	var out []string
	for _, f := range r.Findings {
		name := strings.TrimPrefix(f.File, dir+string(filepath.Separator))
		out = append(out, fmt.Sprintf("%s:%d:%d: %s: %s", filepath.ToSlash(name), f.Line, f.Col, f.Rule, f.Message))
	}
	for _, p := range r.Problems {
		out = append(out, strings.ReplaceAll(p.String(), dir+string(filepath.Separator), ""))
	}
	return out
}

func expect(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got:\n\t%s\nwant:\n\t%s", what, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

var chainFindings = []string{
	"alone/alone.go:6:2: toy: reaches Wait via Wait",
	"deep/deep.go:14:2: toy: reaches Wait via Wait",
	"mid/mid.go:7:25: toy: reaches Wait via Load, Wait",
	"top/top.go:7:9: toy: reaches Wait via Fetch, Load, Wait",
}

func TestWarmIsCold(t *testing.T) {
	dir := unpack(t, "chain.txtar")
	o := options(t, dir)
	cold := run(t, o)
	expect(t, "cold", lines(dir, cold), chainFindings)
	if len(cold.Analysed) != 4 || cold.Packages != 4 {
		t.Errorf("cold run analysed %v of %d packages", cold.Analysed, cold.Packages)
	}
	warm := run(t, o)
	if len(warm.Analysed) != 0 {
		t.Errorf("warm run analysed %v", warm.Analysed)
	}
	if c, w := fmt.Sprintf("%+v", cold.Findings), fmt.Sprintf("%+v", warm.Findings); c != w {
		t.Errorf("warm differs from cold:\ncold %s\nwarm %s", c, w)
	}
	if f := warm.Findings[3]; f.Kind != "wait" || f.URL != "https://example.com/toy#wait" || f.Package != "example.com/chain/top" || len(f.Related) != 1 || f.EndCol != 21 {
		t.Errorf("a finding has lost something: %+v", f)
	}
}

// A checkout elsewhere finds the same entries, and its findings lie in its own files.
func TestMovedCheckout(t *testing.T) {
	first, second := unpack(t, "chain.txtar"), unpack(t, "chain.txtar")
	o := options(t, first)
	run(t, o)
	o.Dir = second
	r := run(t, o)
	expect(t, "second checkout", lines(second, r), chainFindings)
	if len(r.Analysed) != 0 {
		t.Errorf("analysed again: %v", r.Analysed)
	}
}

// An edit re-analyses what can see it and nothing else.
func TestEdits(t *testing.T) {
	const deep, mid, top = "example.com/chain/deep", "example.com/chain/mid", "example.com/chain/top"
	tests := []struct {
		name, file, old, new string
		ran                  []string
	}{
		{"comment", "deep/deep.go", "// Plain does nothing.", "// Plain adds.\n//\n// One more line moves all below.", []string{deep}},
		{"body", "deep/deep.go", "return n + 1", "return 1 + n", []string{deep}},
		{"facts", "deep/deep.go", "return n + 1", "Wait()\n\treturn n + 1", []string{deep, mid}},
		{"signature", "deep/deep.go", "func Plain(n int) int", "func Plain(n int, _ ...int) int", []string{deep, mid}},
		{"constant", "deep/deep.go", "Limit = 10", "Limit = 11", []string{deep, mid}},
		{"struct tag", "deep/deep.go", `json:"id"`, `json:"ID"`, []string{deep, mid, top}}, // top sees deep.Row through mid
		{"unexported", "deep/deep.go", "func Wait() {}", "func Wait() {}\n\nvar unseen = 1", []string{deep}},
		{"top", "top/top.go", "return mid", "_ = 1\n\treturn mid", []string{top}},
		{"test file", "top/top_test.go", "return", "_ = 1; return", nil},
	}
	cache := t.TempDir() // every case begins with the same text, and a checkout elsewhere finds the same entries
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := unpack(t, "chain.txtar")
			o := options(t, dir)
			o.CacheDir = cache
			run(t, o)
			edit(t, dir, test.file, test.old, test.new)
			r := run(t, o)
			expect(t, "analysed", r.Analysed, test.ran)
			fresh := o
			fresh.NoCache = true
			expect(t, "findings", lines(dir, r), lines(dir, run(t, fresh)))
		})
	}
}

// A fact that travels reaches a package that does not import its own.
func TestTravel(t *testing.T) {
	dir := unpack(t, "travel.txtar")
	o := options(t, dir)
	expect(t, "nothing waits", lines(dir, run(t, o)), nil)
	edit(t, dir, "lib/lib.go", "Run() {}", "Run() { Wait() }")
	r := run(t, o)
	expect(t, "Run waits", lines(dir, r), []string{
		"lib/lib.go:6:18: toy: reaches Wait via Wait",
		"top/top.go:5:14: toy: reaches Wait via Run, Wait",
	})
	edit(t, dir, "lib/lib.go", "Do() {}", "Do() { Wait() }")
	expect(t, "a fact of a function stays with direct imports", run(t, o).Analysed, []string{"example.com/travel/lib", "example.com/travel/mid"})
}

func TestTests(t *testing.T) {
	dir := unpack(t, "chain.txtar")
	o := options(t, dir)
	o.Tests = true
	r := run(t, o)
	expect(t, "with tests", lines(dir, r), slices.Concat(chainFindings[:3], []string{
		"top/ext_test.go:5:30: toy: reaches Wait via Handle, Fetch, Load, Wait",
	}, chainFindings[3:], []string{
		"top/top_test.go:3:28: toy: reaches Wait via Handle, Fetch, Load, Wait",
	}))
	if again := run(t, o); len(again.Analysed) != 0 {
		t.Errorf("analysed again: %v", again.Analysed)
	}
}

// Of packages that were not asked for only the facts count.
func TestPatterns(t *testing.T) {
	dir := unpack(t, "chain.txtar")
	o := options(t, dir)
	o.Patterns = []string{"./top"}
	r := run(t, o)
	expect(t, "top alone", lines(dir, r), chainFindings[3:])
	if len(r.Analysed) != 3 || r.Packages != 1 {
		t.Errorf("analysed %v, %d asked for", r.Analysed, r.Packages)
	}
}

func TestOracles(t *testing.T) {
	dir := unpack(t, "chain.txtar")
	for _, engine := range []string{"plain", "full"} {
		o := options(t, dir)
		o.Engine = engine
		expect(t, engine, lines(dir, run(t, o)), chainFindings)
	}
}

func TestFortyRuns(t *testing.T) {
	dir := unpack(t, "chain.txtar")
	o := options(t, dir)
	for i := range 40 {
		o.NoCache = i%2 == 0
		expect(t, fmt.Sprintf("run %d", i), lines(dir, run(t, o)), chainFindings)
		if t.Failed() {
			return
		}
	}
}

func TestInterrupted(t *testing.T) {
	dir := unpack(t, "chain.txtar")
	o := options(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	slow := &analysis.Analyzer{Name: "slow", Doc: "end the run", Requires: []*analysis.Analyzer{toy}, Run: func(pass *analysis.Pass) (any, error) {
		if pass.Pkg.Name() == "mid" {
			cancel()
		}
		return nil, nil
	}}
	o.Analyzers = append(o.Analyzers, slow)
	if _, err := driver.Run(ctx, o); err != context.Canceled {
		t.Fatalf("an interrupted run returned %v", err)
	}
	r := run(t, o)
	expect(t, "after", lines(dir, r), chainFindings)
	if slices.Contains(r.Analysed, "example.com/chain/deep") {
		t.Errorf("what was finished is not in the cache: analysed %v", r.Analysed)
	}
}
