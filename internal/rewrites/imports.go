package rewrites

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// withoutImport adds to the fix of a root what keeps the file's import of context in order. When all its uses are roots that
// have a fix, the last fix to be applied would leave the import without use; which one that is nobody knows, so each of them
// mends all of them and takes the import away: drivers apply the same edit once.
func withoutImport(s *site, sums *summaries.Result, edits []analysis.TextEdit) []analysis.TextEdit {
	uses := contextUses(s)
	if len(uses) == 0 {
		return edits // a dot import
	}
	covered := func(edits []analysis.TextEdit) {
		uses = slices.DeleteFunc(uses, func(id *ast.Ident) bool {
			return slices.ContainsFunc(edits, func(e analysis.TextEdit) bool { return e.Pos <= id.Pos() && id.End() <= e.End })
		})
	}
	all := slices.Clone(edits)
	covered(edits)
	for _, v := range others(s, sums) {
		if len(uses) == 0 {
			break
		}
		o := siteOf(s.pass, v)
		if o == nil || o.file != s.file {
			continue
		}
		if e := root(o); e != nil {
			covered(e)
			all = append(all, e...)
		}
	}
	if len(uses) > 0 {
		return edits // the import stays in use
	}
	if cut, ok := s.cutImport("context"); ok {
		all = append(all, cut)
		slices.SortFunc(all, func(a, b analysis.TextEdit) int { return cmp.Compare(a.Pos, b.Pos) })
		return all
	}
	return nil
}

// others lists the verdicts of the file that are shown and may be fixed as roots.
func others(s *site, sums *summaries.Result) []summaries.Verdict {
	var out []summaries.Verdict
	cfg := settings.Of(s.pass)
	for _, rule := range kinds.Rules {
		for _, v := range sums.Verdicts(rule) {
			if v.Pos == s.v.Pos || v.Pos < s.file.FileStart || v.Pos >= s.file.FileEnd {
				continue
			}
			k, ok := kinds.Lookup(v.Rule, v.Kind)
			if ok && cfg.Shows(k) && !policy.Ignored(s.pass, v.Pos, v.Rule, v.Kind) {
				out = append(out, v)
			}
		}
	}
	return out
}

// contextUses lists where the file names package context.
func contextUses(s *site) []*ast.Ident {
	var out []*ast.Ident
	ast.Inspect(s.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if pkg, ok := s.pass.TypesInfo.Uses[id].(*types.PkgName); ok && pkg.Imported().Path() == "context" {
				out = append(out, id)
			}
		}
		return true
	})
	return out
}
