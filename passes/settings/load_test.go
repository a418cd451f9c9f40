package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// table is a table as a user writes one.
const table = "# example.com/lib\n\nexample.com/lib.Fetch  waits\n"

// file writes a file into dir and returns its path.
func file(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	file(t, dir, "tables/lib.txt", table)
	path := file(t, dir, FileName, `# a comment
rules: [-detached, +ctxless/call, "+lostdeadline"]
audit: true
tests: true
own:
  - example.com/team
tables: [tables/lib.txt]
thresholds:
  sleep: 1m30s
budgets:
  GET /orders: 800ms reserve=50ms
  example.com/team/api.*: 5s
`)
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"-detached", "+ctxless/call", "+lostdeadline"}; !reflect.DeepEqual(got.Rules, want) {
		t.Errorf("Rules = %q, want %q", got.Rules, want)
	}
	if !got.Audit || !got.Tests || got.Thresholds.Sleep != 90*time.Second || !got.OwnPath("example.com/team/x") {
		t.Errorf("read %+v", got)
	}
	if want := []Declared{{"GET /orders", Budget{800 * time.Millisecond, 50 * time.Millisecond}}, {"example.com/team/api.*", Budget{For: 5 * time.Second}}}; !reflect.DeepEqual(got.Budgets, want) {
		t.Errorf("Budgets = %v, want %v", got.Budgets, want)
	}
	if !got.Nolint || !got.Related {
		t.Error("Nolint and Related are not as in Default")
	}
	if row, ok := got.Knowledge().Func("example.com/lib.Fetch"); !ok || len(got.TableRows()) != 1 {
		t.Errorf("the table's row: %+v, %t; %d rows in all", row, ok, len(got.TableRows()))
	}
	if len(got.Notices()) > 0 {
		t.Errorf("Notices = %q, want none: every rule is built", got.Notices())
	}
}

func TestLoadNothing(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n", "---\n", "rules:\nown:\nthresholds:\nbudgets:\n", "{}\n"} {
		got, err := Parse("f", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got.Hash() != Default().Hash() {
			t.Errorf("%q: not the default: %+v", text, got)
		}
	}
}

// TestLoadWindows reads a file as an editor on Windows may leave it.
func TestLoadWindows(t *testing.T) {
	got, err := Parse("f", []byte("\ufeffrules:\r\n  - ctxless\r\naudit: true\r\nthresholds:\r\n  sleep: 1s\r\n"))
	if err != nil || !got.Audit || !reflect.DeepEqual(got.Rules, []string{"ctxless"}) || got.Thresholds.Sleep != time.Second {
		t.Errorf("read %+v, %v", got, err)
	}
	if _, err := Parse("f", []byte("audit: true\r\ntest: true\r\n")); err == nil || !strings.HasPrefix(err.Error(), "f:2:1: ") {
		t.Errorf("line and column of an error: %v", err)
	}
}

// TestLoadErrors wants each error to name the place and what to do.
func TestLoadErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown key", "audit: true\nrule: [ctxless]\n", `c.yaml:2:1: unknown key "rule": the keys are rules, audit, tests, own, tables, thresholds, budgets`},
		{"unknown threshold", "thresholds:\n  nap: 1s\n", `c.yaml:2:3: unknown key "nap" under thresholds: the only key is sleep`},
		{"unknown rule", "rules: [+ctxless, -ctxles]\n", `c.yaml:1:19: unknown rule "ctxles": the rules are bareserver, `},
		{"unknown kind", "rules:\n  - ctxless/calls\n", `c.yaml:2:5: unknown kind "ctxless/calls": the kinds of ctxless are ctxless/request`},
		{"empty kind", "rules: [ctxless/]\n", `c.yaml:1:9: unknown kind "ctxless/"`},
		{"no rule", "rules: ['-']\n", `c.yaml:1:9: a rule is missing`},
		{"string for list", "rules: ctxless\n", `c.yaml:1:8: rules is ctxless: write a list of strings, such as [a, b]`},
		{"mapping for list", "own: {a: b}\n", `c.yaml:1:6: own is a mapping: write a list of strings`},
		{"number in list", "own: [1]\n", `c.yaml:1:7: an entry of own is 1: write a string`},
		{"string for flag", "audit: maybe\n", `c.yaml:1:8: audit is maybe: write true or false`},
		{"flag empty", "tests:\naudit: true\n", `tests is empty: write true or false`},
		{"list for mapping", "thresholds: [sleep]\n", `c.yaml:1:13: thresholds is a list: write keys and values`},
		{"scalar file", "ctxless\n", `c.yaml:1:1: the configuration is ctxless: write keys and values`},
		{"number for duration", "thresholds:\n  sleep: 100\n", `c.yaml:2:10: thresholds.sleep is 100: write a duration such as 100ms or 1m30s`},
		{"bad duration", "thresholds: {sleep: 100 ms}\n", `c.yaml:1:21: thresholds.sleep is "100 ms": write a duration`},
		{"negative duration", "thresholds: {sleep: -1s}\n", `c.yaml:1:21: thresholds.sleep is "-1s": write a duration`},
		{"budget without unit", "budgets:\n  /orders: 800\n", `c.yaml:2:12: budgets./orders is 800: write a duration such as 800ms`},
		{"bad budget", "budgets:\n  /orders: 8 s\n", `c.yaml:2:12: budget is "8": write a duration`},
		{"word behind a budget", "budgets:\n  /orders: 8s spare=1s\n", `c.yaml:2:12: budget has "spare=1s" behind it: write a duration`},
		{"reserve too long", "budgets: {/orders: 1s reserve=1s}\n", `c.yaml:1:20: reserve of 1s leaves nothing of a budget of 1s`},
		{"budget for nothing", "budgets: {orders: 1s}\n", `c.yaml:1:11: "orders" is neither a route nor a function`},
		{"bad pattern", "budgets: {'a.b[': 1s}\n", `c.yaml:1:11: "a.b[" is no pattern`},
		{"list of budgets", "budgets: [1s]\n", `c.yaml:1:10: budgets is a list: write keys and values`},
		{"pattern as own", "own: [example.com/...]\n", `c.yaml:1:7: "example.com/..." is no import path: write the beginning of one`},
		{"missing table", "tables: [gone.txt]\n", `c.yaml:1:10: table gone.txt cannot be read: no such file or directory: correct the path`},
		{"key twice", "audit: true\naudit: false\n", `c.yaml:2:1: not YAML: `},
		{"no YAML", "audit: [true\n", `c.yaml:1:8: not YAML: `},
		{"tab", "thresholds:\n\tsleep: 1s\n", `c.yaml:2:1: not YAML: `},
		{"alias", "own: &o [a]\ntables: *o\n", `c.yaml:1:6: anchors, aliases and tags are not read here: write the value out`},
		{"merge", "<<: {audit: true}\n", `c.yaml:1:1: merge keys are not read here`},
		{"two documents", "audit: true\n---\ntests: true\n", `c.yaml:2:1: a second document`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("c.yaml", []byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q\n got %v\nwant %s", tt.text, err, tt.want)
			}
		})
	}
}

// TestTableErrors wants an error in a table to name the table, not the configuration that names it.
func TestTableErrors(t *testing.T) {
	dir := t.TempDir()
	lib := file(t, dir, "lib.txt", table+"example.com/lib.Store  wait\n")
	path := file(t, dir, FileName, "tables: [lib.txt]\n")
	_, err := Load(path)
	if want := lib + ":4:"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
	if _, err := Load(filepath.Join(dir, "gone.yaml")); err == nil || !strings.Contains(err.Error(), "gone.yaml") {
		t.Errorf("a missing file: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("rules: [-detached]\nthresholds: {sleep: 1s}\n"))
	f.Add([]byte("own: &a [*a]\n? - b\n: c\n---\n!!x |\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if cfg, err := Parse("c.yaml", src); err == nil {
			cfg.Hash()
		}
	})
}

// TestReadme reads the example of the README.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(readme), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	dir := t.TempDir()
	file(t, dir, "doneby/lib.txt", table)
	cfg, err := Load(file(t, dir, FileName, text))
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Rules) != 2 || !cfg.OwnPath("example.com/team") || len(cfg.TableRows()) != 1 || cfg.Thresholds.Sleep != 100*time.Millisecond {
		t.Errorf("read %+v", cfg)
	}
	for key := range strings.SplitSeq(topKeys, ", ") {
		if !strings.Contains(text, "\n"+key+":") {
			t.Errorf("the example lacks %s", key)
		}
	}
}
