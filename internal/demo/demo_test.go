package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/driver"
	"github.com/doneby/doneby/internal/kinds"
)

var update = flag.Bool("update", false, "move the lines of DEFECTS.md after the code and rewrite output.txt")

var dir = filepath.Join("..", "..", "testdata", "demo")

// TestPlan checks DEFECTS.md: one defect a rule, and each row's code where it says.
func TestPlan(t *testing.T) {
	name := filepath.Join(dir, planName)
	if *update {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := parsePlan(string(text))
		if err != nil {
			t.Fatal(err)
		}
		moved, err := move(string(text), dir, p)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(moved), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := readPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, d := range p.defects {
		rule, kind, named := strings.Cut(d.name, "/")
		if _, ok := kinds.Lookup(rule, kind); kinds.Built(rule) && !ok {
			t.Errorf("%s:%d: the rule is built, and %q is no kind of it (%t)", planName, d.row, kind, named)
		}
		rules = append(rules, rule)
	}
	want := slices.Clone(kinds.Rules)
	slices.Sort(want)
	slices.Sort(rules)
	if !slices.Equal(rules, want) {
		t.Errorf("the defects are of %v, and the rules are %v", rules, want)
	}
	if len(p.idioms) < 20 {
		t.Errorf("only %d idioms", len(p.idioms))
	}
}

// TestDemo runs doneby on the demo. What it prints is in output.txt, which the top README quotes.
func TestDemo(t *testing.T) {
	var out bytes.Buffer
	right, err := run(t.Context(), &out, dir)
	if err != nil {
		t.Fatal(err)
	}
	if !right {
		t.Errorf("the demo is not as %s says:\n%s", planName, out.String())
	}
	golden := filepath.Join(dir, "output.txt")
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("output.txt says something else; run with -update and read the diff:\n%s", out.String())
	}
}

// TestRuns builds the demo, tests it and lets it check itself: what is linted is a program that works.
func TestRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./..."}, {"run", ".", "-check"}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, &stderr)
		}
		if args[0] == "run" && !strings.HasPrefix(string(out), "checked: ") {
			t.Errorf("the demo's check says %q, and logs %q", out, &stderr)
		}
	}
}

func TestCompare(t *testing.T) {
	p := &plan{
		defects: []entry{{name: "ctxless/call", file: "a.go", line: 1}, {name: "wallclock", file: "a.go", line: 2}},
		idioms:  []entry{{name: "child cap", file: "a.go", line: 3}},
	}
	at := func(line int, rule, kind string) driver.Finding {
		return driver.Finding{File: "a.go", Line: line, Rule: rule, Kind: kind}
	}
	unbuilt := 0
	if !kinds.Built("wallclock") {
		unbuilt = 1
	}
	for name, tt := range map[string]struct {
		findings              []driver.Finding
		found, missed, silent int
		other                 int
	}{
		"nothing":      {nil, 0, 2 - unbuilt, 1, 0},
		"found":        {[]driver.Finding{at(1, "ctxless", "call")}, 1, 1 - unbuilt, 1, 0},
		"another kind": {[]driver.Finding{at(1, "ctxless", "odd")}, 0, 2 - unbuilt, 1, 1},
		"another line": {[]driver.Finding{at(2, "ctxless", "call")}, 0, 2 - unbuilt, 1, 1},
		"twice":        {[]driver.Finding{at(1, "ctxless", "call"), at(1, "ctxless", "call")}, 1, 1 - unbuilt, 1, 1},
		"idiom":        {[]driver.Finding{at(1, "ctxless", "call"), at(3, "detached", "root")}, 1, 1 - unbuilt, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			v := compare(p, ".", tt.findings)
			if len(v.found) != tt.found || len(v.missed) != tt.missed || len(v.silent) != tt.silent || len(v.other) != tt.other {
				t.Errorf("%+v", v)
			}
			if v.right() != (tt.missed == 0 && tt.silent == 1 && tt.other == 0) {
				t.Errorf("right: %t", v.right())
			}
		})
	}
}

func TestPlanErrors(t *testing.T) {
	const row = "## Defects\n\n| rule | where | code | what ends the wait |\n|---|---|---|---|\n"
	for text, want := range map[string]string{
		row + "| ctxless | `a.go:1` | `code` | x |\n":        "",
		row + "| ctxless | a.go:1 | `code` | x |\n":          "DEFECTS.md:5: a row is",
		"| ctxless | `a.go:1` | `code` | before a heading |": "DEFECTS.md:1: a row is",
	} {
		_, err := parsePlan(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := (entry{file: "main.go", code: "func", row: 3}).find("."); err == nil || !strings.Contains(err.Error(), "more than one") {
		t.Errorf("code on several lines: %v", err)
	}
	if _, err := (entry{file: "main.go", code: "no such code", row: 3}).find("."); err == nil || !strings.Contains(err.Error(), "no line") {
		t.Errorf("code on no line: %v", err)
	}
}
