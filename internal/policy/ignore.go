package policy

import (
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/kinds"
)

// A Hit is an ignore that hid something: a directive and the one of its names that did.
type Hit struct {
	Pos  token.Pos
	Name string
}

// hidden reports whether a directive hides a finding of that kind at pos, and notes in m every name that does.
func hidden(m *Mark, fset *token.FileSet, ds []Directive, pos token.Pos, k kinds.Kind, nolint bool) bool {
	hides := false
	at := line(fset, pos)
	for _, d := range ds {
		if !d.covers(at) {
			continue
		}
		if d.Form == Nolint {
			hides = hides || nolint
			continue
		}
		for _, name := range d.Names {
			if name == k.Rule || name == k.String() {
				hides = true
				m.hits = append(m.hits, Hit{d.Pos, name})
			}
		}
	}
	return hides
}

// Ignored reports whether the code says at pos that a finding of that kind is there on purpose. Passes ask it about a wait:
// an ignore there speaks for all callers. //nolint counts whatever the settings say, so that facts are the same under every
// driver.
func Ignored(pass *analysis.Pass, pos token.Pos, rule, kind string) bool {
	var m Mark
	return m.Ignored(pass, pos, rule, kind)
}

// Ignored is the same, and notes in the result that the ignore has its use, although nothing may be reported at its place.
func (m *Mark) Ignored(pass *analysis.Pass, pos token.Pos, rule, kind string) bool {
	file := fileOf(pass, pos)
	if file == nil {
		return false
	}
	return hidden(m, pass.Fset, Directives(pass.Fset, file), pos, kinds.Kind{Rule: rule, Name: kind}, true)
}
