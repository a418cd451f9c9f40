package policy

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/doneby/doneby/internal/kinds"
)

// waived is the name of the kinds for what an author has waived under the name of another linter.
const waived = "waived"

// neighbours are the linters that name a part of what our rules name: who waives theirs has seen the place and decided.
var neighbours = map[string][]string{
	"bareserver":   {"gosec", "g112", "g114"}, // http.Server without ReadHeaderTimeout, http.Serve without timeouts
	"ctxless":      {"noctx", "contextcheck"},
	"detached":     {"contextcheck"},
	"fixedtimeout": {"noctx", "contextcheck"},
	"unbounded":    {"noctx"},
}

// waivers returns the comments of a file by which other linters are silenced by name: golangci-lint's nolint and gosec's #nosec.
func waivers(fset *token.FileSet, file *ast.File) []Directive {
	var ds []Directive
	for _, group := range file.Comments {
		for _, c := range group.List {
			if names := waivedNames(c.Text); len(names) > 0 {
				ds = append(ds, Directive{Form: Nolint, Pos: c.Pos(), End: c.End(), Names: names})
			}
		}
	}
	if len(ds) > 0 {
		place(fset, file, ds)
	}
	return ds
}

// waivedNames returns the names of linters, or of gosec's rules, that a comment silences, in small letters.
func waivedNames(text string) []string {
	body := strings.TrimLeft(text, "/* \t")
	rest, ok := strings.CutPrefix(body, "nolint:")
	if !ok {
		if rest, ok = strings.CutPrefix(body, "#nosec"); !ok {
			return nil
		}
	}
	rest, _, _ = strings.Cut(rest, "//")
	return strings.FieldsFunc(strings.ToLower(rest), func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

// asWaived returns the kind as which a finding at pos is to be shown: the rule's waived kind where a neighbour is silenced there.
func asWaived(fset *token.FileSet, ds []Directive, pos token.Pos, k kinds.Kind) kinds.Kind {
	if k.Aim != kinds.Gate {
		return k
	}
	at := line(fset, pos)
	for _, d := range ds {
		if !d.covers(at) {
			continue
		}
		for _, name := range neighbours[k.Rule] {
			if w, ok := kinds.Lookup(k.Rule, waived); ok && slices.Contains(d.Names, name) {
				return w
			}
		}
	}
	return k
}
