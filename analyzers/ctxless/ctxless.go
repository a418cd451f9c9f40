// Package ctxless reports waits through an API that cannot carry the context in reach.
package ctxless

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
	Name:       "ctxless",
	Doc:        "report waits through an API that cannot carry the context in reach\n\nThe call has a form that takes a context, or none; either way the deadline of the context at hand does not reach it.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/ctxless",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	sums := summaries.Of(pass)
	for _, v := range sums.Verdicts("ctxless") {
		check(pass, sums, v)
	}
	return nil
}

// check reports a wait that the context in reach cannot end, at the call that carries none.
func check(pass *analysis.Pass, sums *summaries.Result, v summaries.Verdict) {
	pos, end := sums.Range(v)
	msg := v.Subject + " cannot carry " + v.Ctx
	if v.Subject != v.Wait {
		msg += " and reaches " + v.Wait
	}
	if v.Kind == "default" {
		msg += "; it ends after " + durations.Text(v.For)
	}
	pass.Report(analysis.Diagnostic{
		Pos: pos, End: end,
		URL:     pass.Analyzer.URL + "#" + v.Kind,
		Message: msg,
		Related: trace.Related(v.Path),

		SuggestedFixes: rewrites.For(pass, sums, v),
	})
}
