package fixes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/doneby/doneby/analyzers"
	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/ruledoc"
	"github.com/doneby/doneby/internal/ruletest"
)

// TestFixes compiles each program and runs every rule on it: the finding is there, of the kind that is said, and neither fix
// has any.
func TestFixes(t *testing.T) {
	files, err := filepath.Glob("*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".md"), func(t *testing.T) { testFile(t, file) })
	}
}

func testFile(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := ruledoc.Parse(file, string(text))
	if err != nil {
		t.Fatal(err)
	}
	if rule := strings.TrimSuffix(file, ".md"); doc.Name != rule || !kinds.Known(rule) {
		t.Fatalf("%s is named %q, and rules are %v", file, doc.Name, kinds.Rules)
	}
	for _, s := range doc.Sections[1:] {
		if len(s.Blocks) != 3 {
			continue // package gen says so
		}
		if !strings.Contains(s.Blocks[0].Code, `// want "`+doc.Name+"/"+s.Heading+": ") {
			t.Errorf("%s:%d: the finding is not of kind %s/%s", file, s.Blocks[0].Line, doc.Name, s.Heading)
		}
		if !strings.Contains(s.Blocks[2].Code, "deadline.") {
			t.Errorf("%s:%d: the fix does without the runtime package", file, s.Blocks[2].Line)
		}
	}
	ruletest.RunSections(t, file, analyzers.All...)
}
