package settings

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/knowledge"
)

// TestHash changes one option after the other: each that can change a finding changes the hash, no other does.
func TestHash(t *testing.T) {
	row := func(file string, verb knowledge.Verb) []knowledge.Row {
		return []knowledge.Row{{Name: "example.com/lib.Fetch", Verb: verb, File: file, Line: len(file)}}
	}
	for name, tt := range map[string]struct {
		change  func(*Config)
		changes bool
	}{
		"nothing":    {func(c *Config) {}, false},
		"debug":      {func(c *Config) { c.Debug = true }, false},
		"table name": {func(c *Config) { c.Tables = []string{"x.txt"} }, false},
		"checked":    {func(c *Config) { _ = c.Check() }, false},
		"no words":   {func(c *Config) { c.Rules = []string{"-detached/component"} }, false},
		"rules":      {func(c *Config) { c.Rules = []string{"ctxless/call", "+unbounded/oneshot"} }, true},
		"audit":      {func(c *Config) { c.Audit = true }, true},
		"tests":      {func(c *Config) { c.Tests = true }, true},
		"own":        {func(c *Config) { c.Own = []string{"example.com"} }, true},
		"sleep":      {func(c *Config) { c.Thresholds.Sleep = time.Second }, true},
		"budgets":    {func(c *Config) { c.Budgets = []Declared{{"/x", Budget{For: time.Second}}} }, true},
		"nolint":     {func(c *Config) { c.Nolint = false }, true},
		"related":    {func(c *Config) { c.Related = false }, true},
		"rows":       {func(c *Config) { c.addRows(row("a", knowledge.Waits)) }, true},
	} {
		cfg := Default()
		tt.change(cfg)
		if got := cfg.Hash() != Default().Hash(); got != tt.changes {
			t.Errorf("%s: changes the hash: %t, want %t", name, got, tt.changes)
		}
	}
	a, b, c := Default(), Default(), Default()
	a.addRows(row("a", knowledge.Waits))
	b.addRows(row("bb", knowledge.Waits))
	c.addRows(row("a", knowledge.None))
	if a.Hash() != b.Hash() {
		t.Error("where a row stands changes the hash")
	}
	if a.Hash() == c.Hash() {
		t.Error("what a row says does not change the hash")
	}
	a.Own, b.Own = []string{"x", "y"}, []string{"y", "x", "y"}
	if a.Hash() != b.Hash() {
		t.Error("the order of own prefixes changes the hash")
	}
}

func TestOwnPath(t *testing.T) {
	cfg := Default()
	cfg.Own = []string{"example.com/team", "example.org/"}
	for path, want := range map[string]bool{
		"example.com/team":                             true,
		"example.com/team/a":                           true,
		"example.com/team_test":                        true,
		"example.com/team/a [example.com/team/a.test]": true,
		"example.com/teams":                            false,
		"example.com":                                  false,
		"example.org/x":                                true,
		"example.org":                                  true,
	} {
		if got := cfg.OwnPath(path); got != want {
			t.Errorf("OwnPath(%q) = %t, want %t", path, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(Variable, "")
	t.Setenv("GOWORK", "")
	outer := file(t, dir, "mod/"+FileName, "")
	file(t, dir, "mod/go.mod", "module m\n")
	file(t, dir, "mod/sub/"+FileName, "") // not beside a go.mod: not read
	file(t, dir, "work/go.work", "go 1.26\n")
	work := file(t, dir, "work/"+FileName, "")
	file(t, dir, "work/m/go.mod", "module m\n")
	member := file(t, dir, "work/m/"+FileName, "")
	file(t, dir, "bare/go.mod", "module m\n")
	find := func(from, want string) {
		t.Helper()
		if got, err := Find(filepath.Join(dir, from)); err != nil || got != want {
			t.Errorf("Find(%s) = %q, %v, want %q", from, got, err, want)
		}
	}
	find("mod", outer)
	find("mod/sub", outer)
	find("work/m", work)
	find("bare", "")
	t.Setenv("GOWORK", "off")
	find("work/m", member)
	t.Setenv("GOWORK", filepath.Join(dir, "mod/go.work")) // GOWORK may name any file
	find("work/m", outer)
	t.Setenv(Variable, outer)
	find("bare", outer)
	t.Setenv(Variable, "../mod/"+FileName)
	find("bare", outer)
	t.Setenv(Variable, filepath.Join(dir, "gone.yaml"))
	if got, err := Find(dir); err == nil || !strings.Contains(err.Error(), "DONEBY_CONFIG names "+dir) {
		t.Errorf("a file that is not there: %q, %v", got, err)
	}
}

func TestUse(t *testing.T) {
	t.Cleanup(func() { Use(nil) })
	cfg := Default()
	Use(cfg)
	res, err := Analyzer.Run(nil)
	if err != nil || Of(&analysis.Pass{ResultOf: map[*analysis.Analyzer]any{Analyzer: res}}) != cfg {
		t.Errorf("the analyzer returns %v, %v, not what Use was given", res, err)
	}
}

// TestEnvironment is the state under a bare go vet: no Use, only DONEBY_CONFIG and flags.
func TestEnvironment(t *testing.T) {
	Use(nil)
	dir := t.TempDir()
	path := file(t, dir, "c.yaml", "tests: true\nrules: [-detached]\n")
	t.Setenv(Variable, "c.yaml")
	if _, err := Current(); err == nil || !strings.Contains(err.Error(), "DONEBY_CONFIG=c.yaml is not an absolute path") {
		t.Errorf("a relative path: %v", err)
	}
	t.Setenv(Variable, path)
	first, err := Current()
	if err != nil || !first.Tests || first.Audit {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, _ := Current(); again != first {
		t.Error("the file is read for each package")
	}
	t.Cleanup(func() {
		_ = Analyzer.Flags.Set("rules", "")
		_ = Analyzer.Flags.Set("audit", "false")
	})
	_ = Analyzer.Flags.Set("audit", "true")
	_ = Analyzer.Flags.Set("rules", "ctxless,unbounded")
	cfg, err := Current()
	if err != nil || !cfg.Audit || !cfg.Tests || strings.Join(cfg.Rules, " ") != "ctxless unbounded" {
		t.Errorf("with flags: %+v, %v", cfg, err)
	}
	if err := Analyzer.Flags.Set("rules", "ctxles"); err == nil || !strings.Contains(err.Error(), `unknown rule "ctxles"`) {
		t.Errorf("a bad flag: %v", err)
	}
}
