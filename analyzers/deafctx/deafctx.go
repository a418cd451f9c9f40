// Package deafctx reports functions that are handed a context and do not hear it where they wait.
package deafctx

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:       "deafctx",
	Doc:        "report contexts that are handed in and not heard\n\nA loop asks the context between reads that do not hear it, or calls what drops its error for ever, or a context parameter has no name although the function pauses: what no other rule names.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/deafctx",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	sums := summaries.Of(pass)
	for _, v := range sums.Verdicts("deafctx") {
		check(pass, sums, v)
	}
	return nil
}

// check reports one verdict, at the read, the call, the loop or the parameter.
func check(pass *analysis.Pass, sums *summaries.Result, v summaries.Verdict) {
	pos, end := sums.Range(v)
	pass.Report(analysis.Diagnostic{
		Pos: pos, End: end,
		URL:     pass.Analyzer.URL + "#" + v.Kind,
		Message: sentence(v),
		Related: trace.Related(v.Path),
	})
}

// sentence says where the context is not heard.
func sentence(v summaries.Verdict) string {
	switch v.Kind {
	case "poll":
		return "loop polls " + v.Ctx + "." + v.Subject + " and waits in " + v.Wait
	case "once":
		return v.Ctx + "." + v.Subject + " is asked before and " + v.Wait + " does not hear it"
	case "children":
		return v.Wait + " waits for what " + v.Subject + " has started, which the end of its context does not kill"
	case "spin":
		return "loop goes round again when " + v.Wait + " is done, and so for ever"
	case "swallow":
		return "loop goes on with " + v.Wait + ", which drops the error of " + v.Ctx
	case "aside":
		if v.Use == "" {
			return v.Subject + " sends a request without " + v.Ctx + ", which nobody hears"
		}
		return v.Subject + " sends a request without " + v.Ctx + ", which reaches only " + v.Use
	case "unnamed":
		return v.Subject + " waits in " + v.Wait + trace.Via(v.Via) + " and its context has no name"
	}
	if v.Kind == "unused" {
		return "loop of calls of " + v.Wait + " goes on when the context of " + v.Subject + " is done"
	}
	return "loop over files" + trace.Via(v.Via) + " does not end when " + v.Ctx + " is done"
}
