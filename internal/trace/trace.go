// Package trace holds a path of calls: from a call that drops the deadline to the wait that this leaves without an end.
package trace

import (
	"go/token"

	"golang.org/x/tools/go/analysis"
)

// Max is how many steps of a path are kept: more explain nothing to a reader.
const Max = 3

// Hop is one call on the way, in the package at hand.
type Hop struct {
	Pos  token.Pos
	Name string // of what is called, as the source says it
}

// Before returns the path with one more step before it.
func Before(h Hop, path []Hop) []Hop {
	return cut(append([]Hop{h}, path...))
}

// Names returns the names with one more before them, as facts keep a path.
func Names(name string, via []string) []string {
	return cut(append([]string{name}, via...))
}

func cut[T any](s []T) []T {
	if len(s) > Max {
		s = s[:Max]
	}
	return s
}

// Via returns the last step as the end of a message: " via load", or "" without one.
func Via(name string) string {
	if name == "" {
		return ""
	}
	return " via " + name
}

// Related returns the path as related information, in order of flow.
func Related(path []Hop) []analysis.RelatedInformation {
	var out []analysis.RelatedInformation
	for _, h := range path {
		if h.Pos.IsValid() {
			out = append(out, analysis.RelatedInformation{Pos: h.Pos, Message: "calls " + h.Name})
		}
	}
	return out
}
