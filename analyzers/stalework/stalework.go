// Package stalework reports work that begins when its time is already over.
package stalework

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:       "stalework",
	Doc:        "report work that begins when its time is over\n\nAn item with a deadline is taken from a queue and worked on without a look at it, or a context that has certainly ended is given to what waits on it.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/stalework",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	sums := summaries.Of(pass)
	for _, v := range sums.Verdicts("stalework") {
		check(pass, sums, v)
	}
	return nil
}

// check reports one verdict, at the call that begins the work.
func check(pass *analysis.Pass, sums *summaries.Result, v summaries.Verdict) {
	pos, end := sums.Range(v)
	pass.Report(analysis.Diagnostic{
		Pos: pos, End: end,
		URL:     pass.Analyzer.URL + "#" + v.Kind,
		Message: sentence(v),
		Related: trace.Related(v.Path),
	})
}

// sentence says what begins, and what it does not know.
func sentence(v summaries.Verdict) string {
	switch v.Kind {
	case "ended", "spelled":
		return v.Ctx + " is done before " + v.Subject + trace.Via(v.Via) + " begins"
	case "fallback":
		return v.Ctx + " may be done before " + v.Subject + trace.Via(v.Via) + " begins"
	case "requeue":
		return v.Subject + " starts again without a look at the deadline of " + v.Ctx
	}
	return v.Subject + " starts without a look at its deadline"
}
