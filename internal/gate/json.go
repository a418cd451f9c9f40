package gate

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/doneby/doneby/internal/driver"
)

// Diagnostic is a finding in JSON. The tree around it, package → rule → list, and the first five fields are those of
// go vet -json; kind and url are ours. Paths are absolute, as go vet's are.
type Diagnostic struct {
	Posn           string         `json:"posn"` // file:line:col
	End            string         `json:"end"`
	Message        string         `json:"message"`
	SuggestedFixes []SuggestedFix `json:"suggested_fixes,omitempty"`
	Related        []RelatedInfo  `json:"related,omitempty"`
	Kind           string         `json:"kind,omitempty"` // the kind within the rule, as in rule/kind
	URL            string         `json:"url,omitempty"`  // where it is explained
}

// SuggestedFix is one way to mend a finding.
type SuggestedFix struct {
	Message string     `json:"message"`
	Edits   []TextEdit `json:"edits"`
}

// TextEdit replaces the bytes from Start to End.
type TextEdit struct {
	Filename string `json:"filename"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	New      string `json:"new"`
}

// RelatedInfo is a further position.
type RelatedInfo struct {
	Posn    string `json:"posn"`
	End     string `json:"end"`
	Message string `json:"message"`
}

// JSON writes findings as go vet -json does.
func JSON(w io.Writer, findings []driver.Finding) error {
	tree := make(map[string]map[string][]Diagnostic)
	for _, f := range findings {
		rules := tree[f.Package]
		if rules == nil {
			rules = make(map[string][]Diagnostic)
			tree[f.Package] = rules
		}
		rules[f.Rule] = append(rules[f.Rule], diagnostic(f))
	}
	data, err := json.MarshalIndent(tree, "", "\t") // sorts its keys
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", data)
	return err
}

func diagnostic(f driver.Finding) Diagnostic {
	d := Diagnostic{
		Posn: posn(f.File, f.Line, f.Col), End: posn(f.File, f.EndLine, f.EndCol),
		Message: f.Message, Kind: f.Kind, URL: f.URL,
	}
	for _, rel := range f.Related {
		d.Related = append(d.Related, RelatedInfo{
			Posn: posn(rel.File, rel.Line, rel.Col), End: posn(rel.File, rel.EndLine, rel.EndCol), Message: rel.Message,
		})
	}
	for _, fix := range f.Fixes {
		out := SuggestedFix{Message: fix.Message}
		for _, e := range fix.Edits {
			out.Edits = append(out.Edits, TextEdit{Filename: e.File, Start: e.Start, End: e.End, New: e.New})
		}
		d.SuggestedFixes = append(d.SuggestedFixes, out)
	}
	return d
}

func posn(file string, line, col int) string { return fmt.Sprintf("%s:%d:%d", file, line, col) }
