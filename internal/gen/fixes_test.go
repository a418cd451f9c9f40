package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/doneby/doneby/internal/kinds"
)

// TestFixesForm fails when a file that is not in form goes through.
func TestFixesForm(t *testing.T) {
	const block, found = "```go\nvar x int\n```\n", "```go\nvar x int // want \"ctxless/call: x\"\n```\n"
	for name, c := range map[string]struct{ body, want string }{
		"no such kind": {"## nothing\n\n" + found + block + block, `ctxless has no kind "nothing"`},
		"two programs": {"## call\n\n" + found + block, "where three belong"},
		"no finding":   {"## call\n\n" + block + block + block, "and no other, has a finding"},
		"two findings": {"## call\n\n" + found + block + found, "and no other, has a finding"},
		"in form":      {"## call\n\n" + found + block + block, ""},
	} {
		root := t.TempDir()
		file := filepath.Join(root, filepath.FromSlash(fixesDir), "ctxless.md")
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, file, "# ctxless\n\nreport waits\n\n"+c.body)
		_, err := readFixes(root, "ctxless")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestReadable(t *testing.T) {
	const code = "\tdb.Ping() // want \"ctxless/call: \\\\(\\\\*sql.DB\\\\).Ping cannot carry ctx\"\n"
	if got := readable(code); got != "\tdb.Ping() // ctxless/call: (*sql.DB).Ping cannot carry ctx\n" {
		t.Errorf("%q", got)
	}
}

// TestEveryFix: each kind has its programs on the page, or shares those of the others of its rule, which then has some.
func TestEveryFix(t *testing.T) {
	page, err := fixesPage(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	shared := page[max(0, strings.Index(page, "\n## The same elsewhere")):]
	for _, k := range kinds.All {
		own := strings.Contains(page, "\n### "+k.String()+"\n")
		listed := false
		for _, line := range strings.Split(shared, "\n") {
			listed = listed || strings.HasPrefix(line, "- `"+k.Name+"`: ") && strings.Contains(line, "["+k.Rule+"]")
		}
		if own == listed || !strings.Contains(page, "\n### "+k.Rule+"/") {
			t.Errorf("%s: programs of its own %t, shares those of others %t", k, own, listed)
		}
	}
	if strings.Contains(page, "Not written down yet") {
		t.Error("fixes are missing")
	}
}
