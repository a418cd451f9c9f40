package policy

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/passes/settings"
)

// deliver passes on those of a rule's findings that reach the user, sorted, each once. Ignores are matched before the
// settings hide anything: an ignore of a kind that is not shown today is not in vain.
func deliver(pass *analysis.Pass, res *Result, found []analysis.Diagnostic) error {
	cfg := settings.Of(pass)
	slices.SortStableFunc(found, func(a, b analysis.Diagnostic) int { return compare(pass.Fset, a, b) })
	directives, exempt := map[*ast.File][]Directive{}, map[*ast.File][]Directive{}
	var last *analysis.Diagnostic
	for i := range found {
		d := &found[i]
		file := fileOf(pass, d.Pos)
		if file == nil || !Reported(pass, file) {
			continue
		}
		kind, err := kindOf(pass, *d)
		if err != nil {
			return err
		}
		ds, ok := directives[file]
		if !ok {
			ds = Directives(pass.Fset, file)
			directives[file], exempt[file] = ds, waivers(pass.Fset, file)
		}
		kind = asWaived(pass.Fset, exempt[file], d.Pos, kind)
		d.URL = withKind(d.URL, kind)
		if hidden(res.mark(), pass.Fset, ds, d.Pos, kind, cfg.Nolint) || !cfg.Shows(kind) {
			continue
		}
		if last != nil && last.Pos == d.Pos && last.Message == d.Message {
			continue
		}
		last = d
		pass.Report(finish(pass, cfg, file, *d))
	}
	return nil
}

// compare orders findings as a reader meets them: by file, then by place, then by message.
func compare(fset *token.FileSet, a, b analysis.Diagnostic) int {
	p, q := fset.Position(a.Pos), fset.Position(b.Pos)
	return cmp.Or(
		strings.Compare(p.Filename, q.Filename),
		cmp.Compare(p.Line, q.Line),
		cmp.Compare(p.Column, q.Column),
		strings.Compare(a.Message, b.Message),
		cmp.Compare(a.End, b.End),
	)
}

// kindOf returns the kind of a finding, which the fragment of its URL names. A kind that is not listed has no tier and could
// not be hidden or ignored, so it is an error of ours.
func kindOf(pass *analysis.Pass, d analysis.Diagnostic) (kinds.Kind, error) {
	_, name, _ := strings.Cut(d.URL, "#")
	k, ok := kinds.Lookup(pass.Analyzer.Name, name)
	if !ok {
		return k, fmt.Errorf("%s: %q is reported as %s/%s, which internal/kinds does not list",
			pass.Fset.Position(d.Pos), d.Message, pass.Analyzer.Name, name)
	}
	return k, nil
}

// withKind returns the URL of a finding with that kind for its fragment.
func withKind(url string, k kinds.Kind) string {
	page, _, _ := strings.Cut(url, "#")
	return page + "#" + k.Name
}

// finish gives a finding its end, and keeps of the related places those that the driver can show.
func finish(pass *analysis.Pass, cfg *settings.Config, file *ast.File, d analysis.Diagnostic) analysis.Diagnostic {
	if !d.End.IsValid() || d.End < d.Pos {
		d.End = endOf(file, d.Pos)
	}
	var related []analysis.RelatedInformation
	for _, r := range d.Related {
		f := fileOf(pass, r.Pos)
		if f == nil || !cfg.Related {
			continue // in another package: the text names it
		}
		if !r.End.IsValid() || r.End < r.Pos {
			r.End = endOf(f, r.Pos)
		}
		related = append(related, r)
	}
	d.Related = related
	return d
}

// endOf returns the end of what begins at pos: the smallest call there, otherwise the smallest expression or name.
func endOf(file *ast.File, pos token.Pos) token.Pos {
	end := pos
	call := false
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || n.End() <= pos {
			return false
		}
		if n.Pos() != pos || call && !isCall(n) {
			return true
		}
		end, call = n.End(), isCall(n) // nodes come from the outside in: the last is the smallest
		return true
	})
	return end
}

func isCall(n ast.Node) bool {
	_, ok := n.(*ast.CallExpr)
	return ok
}
