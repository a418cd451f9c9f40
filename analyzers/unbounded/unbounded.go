// Package unbounded reports waits that nothing ends, where nothing could be inherited.
package unbounded

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:       "unbounded",
	Doc:        "report waits that nothing ends\n\nNo context is in reach to inherit from, and the wait has no bound of its own: when the other side hangs, so does this code.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/unbounded",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	sums := summaries.Of(pass)
	for _, v := range sums.Verdicts("unbounded") {
		check(pass, sums, v)
	}
	return nil
}

// check reports a wait that nothing ends: at the context that has no end, or at the call.
func check(pass *analysis.Pass, sums *summaries.Result, v summaries.Verdict) {
	pos, end := sums.Range(v)
	msg := v.Subject + " has no deadline"
	if v.Subject != v.Wait {
		msg += " and reaches " + v.Wait + trace.Via(v.Via)
	}
	pass.Report(analysis.Diagnostic{
		Pos: pos, End: end,
		URL:     pass.Analyzer.URL + "#" + v.Kind,
		Message: msg,
		Related: trace.Related(v.Path),
	})
}
