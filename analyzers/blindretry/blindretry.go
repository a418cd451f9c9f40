// Package blindretry reports loops that retry or poll and do not look at the context in reach.
package blindretry

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
	Name:       "blindretry",
	Doc:        "report loops that retry or poll and go on when the context in reach is over\n\nA pause that hears nobody, a retry helper that is not given the context, an attempt that begins again when its context has ended, or one whose timeout was taken from the attempt before.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/blindretry",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	sums := summaries.Of(pass)
	for _, v := range sums.Verdicts("blindretry") {
		check(pass, sums, v)
	}
	return nil
}

// check reports one verdict, at the pause, the call or the loop.
func check(pass *analysis.Pass, sums *summaries.Result, v summaries.Verdict) {
	pos, end := sums.Range(v)
	pass.Report(analysis.Diagnostic{
		Pos: pos, End: end,
		URL:     pass.Analyzer.URL + "#" + v.Kind,
		Message: sentence(v),
		Related: trace.Related(v.Path),

		SuggestedFixes: rewrites.For(pass, sums, v),
	})
}

// sentence says what goes on, and when.
func sentence(v summaries.Verdict) string {
	switch v.Kind {
	case "short", "long":
		return v.Subject + " pauses for " + durations.Text(v.For) + " when " + v.Ctx + " is done"
	case "late":
		return v.Subject + " pauses when " + v.Ctx + " is done and ends later"
	case "fit":
		return fits(v)
	case "again":
		return v.Subject + " begins again when " + v.Wait + " fails since " + v.Ctx + " is done"
	case "attempt":
		return "timeout of each attempt ends with that of the attempt before"
	case "cancel":
		return "cancel of each attempt waits for the function to return"
	}
	return v.Subject + " goes on after " + v.Ctx + " is done"
}

// fits says what does not fit into the time that is left: the pause, or the attempt after it.
func fits(v summaries.Verdict) string {
	pause, allows := durations.Text(v.For), durations.Text(v.Allows)
	if v.Next == 0 {
		return v.Subject + " pauses for " + pause + " and " + v.Ctx + " allows " + allows
	}
	return v.Subject + " pauses for " + pause + " before an attempt of up to " + durations.Text(v.Next) + " and " + v.Ctx + " allows " + allows
}
