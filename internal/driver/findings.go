package driver

import (
	"cmp"
	"go/token"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// report notes a diagnostic. Of a test variant only what stands in test files counts: the rest was found without them.
func (u *unit) report(fset *token.FileSet, a *analysis.Analyzer, d analysis.Diagnostic) {
	f := toFinding(fset, a, d)
	f.Package = u.path()
	if f.isIncomplete() {
		u.incomplete(f.Message)
		return
	}
	if u.test && !strings.HasSuffix(f.File, "_test.go") {
		return
	}
	f.eachFile(func(name string) string { return relative(u.Dir, name) })
	u.findings = append(u.findings, f)
}

// isIncomplete reports whether the finding only says that its package could not be analysed, which analyzers/ignores says
// for drivers that know nothing of problems.
func (f *Finding) isIncomplete() bool { return f.Rule == "ignores" && f.Kind == "incomplete" }

// place gives the findings whole paths.
func (u *unit) place() {
	for i := range u.findings {
		u.findings[i].eachFile(func(name string) string { return absolute(u.Dir, name) })
	}
}

// eachFile changes every file name in the finding.
func (f *Finding) eachFile(change func(string) string) {
	f.File = change(f.File)
	for i := range f.Related {
		f.Related[i].File = change(f.Related[i].File)
	}
	for i := range f.Fixes {
		for j := range f.Fixes[i].Edits {
			f.Fixes[i].Edits[j].File = change(f.Fixes[i].Edits[j].File)
		}
	}
}

// toFinding puts a diagnostic in the form in which it is kept.
func toFinding(fset *token.FileSet, a *analysis.Analyzer, d analysis.Diagnostic) Finding {
	start, end := fset.Position(d.Pos), fset.Position(cmp.Or(d.End, d.Pos))
	f := Finding{
		File: start.Filename, Line: start.Line, Col: start.Column, EndLine: end.Line, EndCol: end.Column,
		Rule: a.Name, Message: d.Message, URL: d.URL,
	}
	if base, err := url.Parse(a.URL); err == nil {
		if u, err := base.Parse(d.URL); err == nil {
			f.URL, f.Kind = u.String(), u.Fragment
		}
	}
	for _, rel := range d.Related {
		start, end := fset.Position(rel.Pos), fset.Position(cmp.Or(rel.End, rel.Pos))
		f.Related = append(f.Related, Related{
			File: start.Filename, Line: start.Line, Col: start.Column, EndLine: end.Line, EndCol: end.Column, Message: rel.Message,
		})
	}
	for _, fix := range d.SuggestedFixes {
		f.Fixes = append(f.Fixes, toFix(fset, fix))
	}
	return f
}

// toFix keeps the edits by their place in the file as it lies there, whatever //line directives say.
func toFix(fset *token.FileSet, fix analysis.SuggestedFix) Fix {
	out := Fix{Message: fix.Message}
	for _, e := range fix.TextEdits {
		start, end := fset.PositionFor(e.Pos, false), fset.PositionFor(cmp.Or(e.End, e.Pos), false)
		out.Edits = append(out.Edits, Edit{File: start.Filename, Start: start.Offset, End: end.Offset, New: string(e.NewText)})
	}
	return out
}

// sort puts findings in the order in which they are read, and drops what is there twice.
func (r *Report) sort() {
	slices.SortStableFunc(r.Findings, compareFindings)
	r.Findings = slices.CompactFunc(r.Findings, func(a, b Finding) bool { return compareFindings(a, b) == 0 })
	slices.SortStableFunc(r.Problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Message, b.Message))
	})
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
		strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message),
	)
}
