package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the figures of docs/figures/chain.txt, and the findings, into README.md")

// figures are what make chain has printed, without their header.
func figures(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "figures", "chain.txt"))
	if err != nil {
		t.Fatal(err)
	}
	said := string(text)
	for strings.HasPrefix(said, "# ") {
		_, said, _ = strings.Cut(said, "\n")
	}
	if said == string(text) {
		t.Fatal("docs/figures/chain.txt has no header")
	}
	return said
}

// TestReadme wants README.md to have the committed figures, and what doneby says now.
func TestReadme(t *testing.T) {
	all, err := findings()
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b finding) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line)) })
	var said strings.Builder
	for _, f := range all {
		fmt.Fprintf(&said, "%s:%d: %s: %s\n", f.file, f.line, f.rule, f.text)
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	want := between(t, between(t, string(text), "figures", figures(t)), "findings", said.String())
	if *update {
		if err := os.WriteFile("README.md", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Error("README.md has other figures than docs/figures/chain.txt, or other findings: go test -run TestReadme -update")
	}
}

// between puts block where text has the comments <!-- name --> and <!-- /name -->.
func between(t *testing.T, text, name, block string) string {
	t.Helper()
	open, shut := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	head, rest, ok := strings.Cut(text, open)
	_, tail, ok2 := strings.Cut(rest, shut)
	if !ok || !ok2 {
		t.Fatalf("README.md has no place for the %s: %s…%s", name, open, shut)
	}
	return fmt.Sprintf("%s%s```\n%s```\n%s%s", head, open, block, shut, tail)
}

// TestTargets holds the committed figures against what they are to show: under 1.5 times overload, at least three times the
// goodput, and at most a twentieth of the wasted work.
func TestTargets(t *testing.T) {
	said := figures(t)
	if !strings.HasPrefix(said, "1.5 times the capacity") {
		t.Error("the load is another: ", said)
	}
	m := regexp.MustCompile(`after has ([0-9.]+) times the goodput of before, and ([0-9.]+)% of its wasted work`).FindStringSubmatch(said)
	if m == nil {
		t.Fatal("docs/figures/chain.txt has no summary")
	}
	goodput, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	wasted, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		t.Fatal(err)
	}
	if goodput < 3 || wasted > 5 {
		t.Errorf("%v times the goodput, want 3; %v%% of the wasted work, want 5%%", goodput, wasted)
	}
	if strings.Contains(said, "the machine was busy") {
		t.Error("the figures are of a machine that had other things to do: run make chain again")
	}
}
