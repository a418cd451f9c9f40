package gen

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/doneby/doneby/analyzers"
	"github.com/doneby/doneby/internal/kinds"
)

var update = flag.Bool("update", false, "rewrite the documents, then read the diff")

// TestDocuments fails when a document is not what would be written now.
func TestDocuments(t *testing.T) {
	root := filepath.Join("..", "..")
	docs, err := Documents(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range docs {
		name = filepath.Join(root, filepath.FromSlash(name))
		if *update {
			write(t, name, want)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		} else if string(got) != want {
			t.Errorf("%s is not what would be written now: run go test ./internal/gen -update and read the diff", name)
		}
	}
}

// TestEveryRule fails when a rule that is built is left out of the list of analyzers, or of the page.
func TestEveryRule(t *testing.T) {
	listed := map[string]bool{}
	for _, a := range analyzers.All {
		listed[a.Name] = true
	}
	page, summary := rulesPage(), table()
	for _, k := range kinds.All {
		if !listed[k.Rule] {
			t.Errorf("analyzers.All has no %s", k.Rule)
		}
		if !strings.Contains(page, "| `"+k.String()+"` |") {
			t.Errorf("docs/rules.md has no %s", k)
		}
		if !strings.Contains(summary, "["+k.Rule+"](") {
			t.Errorf("the README's table has no %s", k.Rule)
		}
	}
	for _, name := range kinds.Rules {
		if !strings.Contains(page, name) || !strings.Contains(summary, name) {
			t.Errorf("%s is named nowhere", name)
		}
	}
}

func TestBetween(t *testing.T) {
	const text = "a\n<!-- x -->\nold\n<!-- /x -->\nb\n"
	if got, err := between(text, "x", "new\n"); err != nil || got != strings.Replace(text, "old", "new", 1) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := between(text, "y", ""); err == nil {
		t.Error("a mark that is not there is no error")
	}
	if _, err := between("<!-- /x -->\n<!-- x -->\n", "x", ""); err == nil {
		t.Error("an end before the beginning is no error")
	}
}

func TestExample(t *testing.T) {
	if got := example("$ doneby\na.go:1:2: x: y\n\tb\n\nfound:\n  x\n"); got != "```text\n$ doneby\na.go:1:2: x: y\n\tb\n```\n" {
		t.Errorf("%q", got)
	}
}
