// Package deafwait reports waits for other goroutines, and sleeps, that do not listen to the context in reach.
package deafwait

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/rewrites"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:       "deafwait",
	Doc:        "report waits that do not listen to the context in reach\n\nA send, receive, select, group or sleep goes on until another goroutine comes, or until its time is up, although a context is in reach that may be over long before.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/deafwait",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	sums := summaries.Of(pass)
	for _, v := range sums.Verdicts("deafwait") {
		check(pass, sums, v)
	}
	return nil
}

// check reports a wait that does not listen, or the call below which it is.
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

// sentence says which wait does not end, and when it could.
func sentence(v summaries.Verdict) string {
	switch {
	case v.Kind == "stop" && v.Wait == "":
		return v.Subject + " is closed and nobody receives from it"
	case v.Kind == "stop":
		return v.Subject + " does not end when " + v.Ctx + " is closed"
	}
	return v.Subject + trace.Via(v.Via) + " does not end when " + v.Ctx + " is done"
}
