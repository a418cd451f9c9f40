package policy

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/doneby/doneby/internal/kinds"
)

// Form is how a directive is written.
type Form int

const (
	Ignore     Form = iota // //doneby:ignore RULE[,RULE] reason
	FileIgnore             // //doneby:file-ignore RULE[,RULE] reason
	LintIgnore             // //lint:ignore and //lint:file-ignore with a name of ours among its names
	Nolint                 // //nolint, //nolint:all, //nolint:doneby
	Malformed              // //doneby:… that is none of these
)

// A Directive is a comment that says: on purpose.
type Directive struct {
	Form   Form
	Pos    token.Pos
	End    token.Pos
	Names  []string // rules and rule/kinds as written; of LintIgnore only ours; none for Nolint, which means all
	Reason string
	first  int  // the first line that it covers
	last   int  // the last line that it covers; with whole, all do
	whole  bool // it covers the file
}

// Directives returns the directives of a file, in order.
func Directives(fset *token.FileSet, file *ast.File) []Directive {
	var ds []Directive
	for _, group := range file.Comments {
		for _, c := range group.List {
			if d, ok := parse(c.Text); ok {
				d.Pos, d.End = c.Pos(), c.End()
				ds = append(ds, d)
			}
		}
	}
	if len(ds) > 0 {
		place(fset, file, ds)
	}
	return ds
}

// parse reads a comment. Like every directive it is a line comment whose word follows the slashes at once; golangci-lint
// and its users are used to a blank before nolint.
func parse(text string) (Directive, bool) {
	body, ok := strings.CutPrefix(text, "//")
	if !ok {
		return Directive{}, false
	}
	if rest, ok := strings.CutPrefix(body, "doneby:"); ok {
		verb, _ := word(rest)
		return parseOurs(rest), verb != "budget" // which hides nothing: see Budgets
	}
	if rest, ok := strings.CutPrefix(body, "lint:"); ok {
		return parseLint(rest)
	}
	if strings.HasPrefix(strings.TrimLeft(body, " \t"), "doneby:") {
		return Directive{Form: Malformed, Reason: "a blank before doneby: makes it a mere comment"}, true
	}
	return Directive{Form: Nolint}, nolint(strings.TrimLeft(body, "/ "))
}

func parseOurs(rest string) Directive {
	verb, args := word(rest)
	d := Directive{Form: Ignore}
	switch verb {
	case "ignore":
	case "file-ignore":
		d.Form, d.whole = FileIgnore, true
	default:
		return Directive{Form: Malformed, Reason: "unknown directive doneby:" + verb}
	}
	names, reason := word(args)
	d.Reason = reason
	for name := range strings.SplitSeq(names, ",") {
		if name != "" {
			d.Names = append(d.Names, name)
		}
	}
	return d
}

// parseLint reads staticcheck's directive, and leaves it alone when none of its names is ours.
func parseLint(rest string) (Directive, bool) {
	verb, args := word(rest)
	if verb != "ignore" && verb != "file-ignore" {
		return Directive{}, false
	}
	names, reason := word(args)
	d := Directive{Form: LintIgnore, Reason: reason, whole: verb == "file-ignore"}
	for name := range strings.SplitSeq(names, ",") {
		if rule, _, _ := strings.Cut(name, "/"); kinds.Known(rule) {
			d.Names = append(d.Names, name)
		}
	}
	return d, len(d.Names) > 0
}

// nolint reports whether the comment is a nolint that means us.
func nolint(text string) bool {
	rest, ok := strings.CutPrefix(text, "nolint")
	if !ok {
		return false
	}
	if rest == "" || rest[0] == ' ' || rest[0] == '\t' {
		return true
	}
	names, ok := strings.CutPrefix(rest, ":")
	if !ok {
		return false
	}
	names, _, _ = strings.Cut(names, "//")
	for name := range strings.SplitSeq(names, ",") {
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "all", "doneby":
			return true
		}
	}
	return false
}

// word splits the first word from the rest.
func word(s string) (first, rest string) {
	s = strings.TrimLeft(s, " \t")
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], strings.TrimSpace(s[i:])
	}
	return s, ""
}
