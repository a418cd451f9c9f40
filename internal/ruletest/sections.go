package ruletest

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/ruledoc"
)

// RunSections tests the analyzers with that README, each of its sections a test by the name of its heading. All programs
// are loaded and analysed at once, whichever sections are asked for.
func RunSections(t *testing.T, readme string, analyzers ...*analysis.Analyzer) {
	t.Helper()
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := ruledoc.Parse(readme, string(text))
	if err != nil {
		t.Fatal(err)
	}
	_, found := examine(readme, string(text), analyzers)
	rest := map[string]bool{}
	for _, p := range found {
		rest[p] = true
	}
	for i, s := range doc.Sections {
		if len(s.Blocks) == 0 {
			continue
		}
		t.Run(s.Heading, func(t *testing.T) {
			for _, p := range found {
				if sectionAt(doc, lineOf(p)) == i {
					t.Error(p)
				}
			}
		})
		for _, p := range found {
			if sectionAt(doc, lineOf(p)) == i {
				delete(rest, p)
			}
		}
	}
	for p := range rest { // of no section: the programs do not compile, say
		t.Error(p)
	}
}

// sectionAt returns the index of the section that has the line.
func sectionAt(doc *ruledoc.Doc, line int) int {
	at := -1
	for i, s := range doc.Sections {
		if s.Line <= line {
			at = i
		}
	}
	return at
}

var problemLine = regexp.MustCompile(`^[^:]*\.md:(\d+):`)

// lineOf returns the line that a problem is about, or 0.
func lineOf(problem string) int {
	m := problemLine.FindStringSubmatch(problem)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}
