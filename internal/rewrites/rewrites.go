// Package rewrites offers the safe fixes: one edit, or a few in the same file, that give a wait the context in reach, after
// which the code compiles, means the same while that context lasts, and the finding is gone.
//
// A fix is safe only where the wait is over before the function that has the context returns: not in a go statement, a
// defer, a function that is kept, nor on a handle or context that is kept. No fix invents a number, puts a root in, or adds
// an import or a requirement; an import that it leaves without use goes in the same fix. Where that is not certain there is
// no fix, and the finding stands as it is.
//
// It does not know what a function of another package keeps of its arguments: there the name decides (see keeps).
package rewrites

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/passes/summaries"
)

// For returns the fix of what a verdict is about, at most one, or nil when none is safe.
func For(pass *analysis.Pass, sums *summaries.Result, v summaries.Verdict) []analysis.SuggestedFix {
	if v.Rule == "deafwait" {
		return listen(pass, sums, v)
	}
	s := siteOf(pass, v)
	if s == nil {
		return nil
	}
	for _, offer := range [...]func(*site) *analysis.SuggestedFix{twin, lookup, dial, request} {
		if fix := offer(s); fix != nil {
			return []analysis.SuggestedFix{*fix}
		}
	}
	if edits := root(s); edits != nil {
		return []analysis.SuggestedFix{{Message: "Pass " + s.ctx, TextEdits: withoutImport(s, sums, edits)}}
	}
	return nil
}
