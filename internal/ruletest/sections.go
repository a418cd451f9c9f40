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
	for i, of := range bySection(doc, found) {
		if i == 0 {
			report(t, of)
			continue
		}
		t.Run(doc.Sections[i].Heading, func(t *testing.T) { report(t, of) })
	}
}

func report(t *testing.T, found problems) {
	for _, p := range found {
		t.Error(p)
	}
}

// bySection sorts problems by the sections that they are about. Those of none, such as programs that cannot be loaded, go
// with what stands before the first heading.
func bySection(doc *ruledoc.Doc, found problems) []problems {
	out := make([]problems, len(doc.Sections))
	for _, p := range found {
		at := 0
		for i, s := range doc.Sections {
			if s.Line <= lineOf(p) {
				at = i
			}
		}
		out[at] = append(out[at], p)
	}
	return out
}

var problemLine = regexp.MustCompile(`^[^:]*\.md:(\d+):`)

// lineOf returns the line that a problem is about, or 0.
func lineOf(problem string) int {
	m := problemLine.FindStringSubmatch(problem)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1]) // digits only
	return n
}
