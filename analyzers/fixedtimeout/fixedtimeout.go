// Package fixedtimeout reports bounds that ignore the deadline in reach.
package fixedtimeout

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/rewrites"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:       "fixedtimeout",
	Doc:        "report timeouts that ignore the deadline in reach\n\nThe wait ends by a timeout of its own, made from nothing, although a context is in reach that may have less time left.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/fixedtimeout",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	sums := summaries.Of(pass)
	for _, v := range sums.Verdicts("fixedtimeout") {
		check(pass, sums, v)
	}
	return nil
}

// check reports a bound that ignores the deadline in reach.
func check(pass *analysis.Pass, sums *summaries.Result, v summaries.Verdict) {
	pos, end := sums.Range(v)
	length := "timeout"
	if v.For > 0 {
		length += " of " + durations.Text(v.For)
	}
	pass.Report(analysis.Diagnostic{
		Pos: pos, End: end,
		URL:     pass.Analyzer.URL + "#" + v.Kind,
		Message: length + " for " + v.Wait + trace.Via(v.Via) + " is fixed and " + v.Ctx + " may have less left",
		Related: trace.Related(v.Path),

		SuggestedFixes: rewrites.For(pass, sums, v),
	})
}
