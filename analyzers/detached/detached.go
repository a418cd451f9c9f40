// Package detached reports contexts made on the spot where an inherited one is in reach.
package detached

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
	Name:       "detached",
	Doc:        "report contexts that drop the deadline of the one in reach\n\nA root context, WithoutCancel without a bound, or a context that never ends is given to something that waits, although the caller handed in a context of its own.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/detached",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	sums := summaries.Of(pass)
	for _, v := range sums.Verdicts("detached") {
		check(pass, sums, v)
	}
	return nil
}

// check reports a context that drops the deadline in reach, at the expression that makes it.
func check(pass *analysis.Pass, sums *summaries.Result, v summaries.Verdict) {
	pos, end := sums.Range(v)
	msg := v.Subject + " drops the deadline of " + v.Ctx + " and reaches " + v.Wait + trace.Via(v.Via)
	if v.Kind == "default" && v.For > 0 {
		msg += ", which ends after " + durations.Text(v.For)
	}
	pass.Report(analysis.Diagnostic{
		Pos: pos, End: end,
		URL:     pass.Analyzer.URL + "#" + v.Kind,
		Message: msg,
		Related: trace.Related(v.Path),

		SuggestedFixes: rewrites.For(pass, sums, v),
	})
}
