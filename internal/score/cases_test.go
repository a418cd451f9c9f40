package score

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/doneby/doneby/analyzers"
	"github.com/doneby/doneby/internal/driver"
	"github.com/doneby/doneby/passes/settings"
)

var update = flag.Bool("update", false, "raise the record to what is told apart now")

// selection asks for the built rules by name, so that a kind scores also while it waits for the sheet that moves it to gate. The kinds
// that are audit for good are left out: some precision cases are findings of theirs by design.
var selection = []string{
	"+bareserver/header", "+bareserver/debug", "+bareserver/conn", "+bareserver/stream", "+bareserver/handshake",
	"+ctxless", "+fixedtimeout",
	"+blindretry", "-blindretry/short", "-blindretry/cancel", "+stalework",
	"+ctxless", "+fixedtimeout", "+deafctx",
	"+detached", "-detached/component",
	"+unbounded", "-unbounded/oneshot",
	"+orphan", "+deafwait",
	"+wallclock", "+overbudget",
	"+lostdeadline", // a rule for those who ask, and silent on the good sides
}

// TestCases lints the cases and fails when fewer are told apart than the record says. With -v it prints what was missed
// and what was wrongly said; with -update it raises the record.
func TestCases(t *testing.T) { hold(t, modules, "record.txt") }

// TestMore does the same for the cases that were made by others than the rules, and that not all are told apart.
func TestMore(t *testing.T) { hold(t, more, "more.txt") }

func hold(t *testing.T, modules []string, record string) {
	t.Helper()
	if testing.Short() {
		t.Skip("loads whole modules")
	}
	table := Table{}
	for _, module := range modules {
		rows := Score(lint(t, module))
		var said strings.Builder
		Print(&said, rows)
		t.Logf("module %s\n%s", module, said.String())
		table.Add(Tabulate(rows))
	}
	var printed strings.Builder
	if err := table.Write(&printed); err != nil {
		t.Fatal(err)
	}
	t.Logf("told apart\n%s", printed.String())
	checkRecord(t, filepath.Join(corpus, record), table)
}

// lint runs the default driver over a neutral copy of the module.
func lint(t *testing.T, module string) ([]Case, []Finding, bool) {
	t.Helper()
	cases, err := Load(filepath.Join(corpus, module))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Neutral(filepath.Join(corpus, module), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cfg := settings.Default()
	cfg.Rules = selection
	report, err := driver.Run(t.Context(), driver.Options{
		Dir: c.Dir, Patterns: []string{"./..."}, Config: cfg, Analyzers: analyzers.All, NoCache: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Problems {
		t.Errorf("%s: %s %s", module, p, strings.Join(p.Details, "\n"))
	}
	var findings []Finding
	for _, f := range report.Findings {
		o, ok := c.Original(f.File)
		if !ok {
			t.Errorf("%s:%d: a finding outside the cases: %s", f.File, f.Line, f.Message)
			continue
		}
		o.Line, o.Rule, o.Message = f.Line, f.Rule, f.Message
		findings = append(findings, o)
	}
	return cases, findings, false
}

// checkRecord fails when the table is below the record, and raises the record under -update.
func checkRecord(t *testing.T, name string, table Table) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	record, err := Read(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, below := range table.Below(record) {
		t.Error(below)
	}
	if !*update {
		return
	}
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			out.WriteString(line)
		}
	}
	if err := table.Raise(record).Write(&out); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
