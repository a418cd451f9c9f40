package ruletest

import (
	"reflect"
	"testing"

	"github.com/doneby/doneby/internal/ruledoc"
)

func TestBySection(t *testing.T) {
	doc := &ruledoc.Doc{Sections: []ruledoc.Section{{Line: 1}, {Heading: "A", Line: 5}, {Heading: "B", Line: 9}}}
	got := bySection(doc, problems{"x.md:9: b", "x.md:8: a", "toy: what failed:7: is no line", "x.md:40: b"})
	want := []problems{{"toy: what failed:7: is no line"}, {"x.md:8: a"}, {"x.md:9: b", "x.md:40: b"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRunSections runs the toy's README, each section a test.
func TestRunSections(t *testing.T) { RunSections(t, "testdata/toy.md", toy) }
