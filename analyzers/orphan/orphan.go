// Package orphan reports goroutines that nobody waits for and that may wait for ever.
package orphan

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:       "orphan",
	Doc:        "report goroutines that are left behind when the context is done\n\nA goroutine that nobody waits for waits itself, and hears neither the context in reach nor a close: each call may leave one behind.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/orphan",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	sums := summaries.Of(pass)
	for _, v := range sums.Verdicts("orphan") {
		check(pass, sums, v)
	}
	return nil
}

// check reports a goroutine at the statement that starts it.
func check(pass *analysis.Pass, sums *summaries.Result, v summaries.Verdict) {
	pos, end := sums.Range(v)
	pass.Report(analysis.Diagnostic{
		Pos: pos, End: end,
		URL:     pass.Analyzer.URL + "#" + v.Kind,
		Message: message(v),
		Related: related(v),
	})
}

// related returns the way to the wait, and the return that leaves the goroutine behind.
func related(v summaries.Verdict) []analysis.RelatedInformation {
	out := trace.Related(v.Path)
	switch {
	case !v.Left.IsValid():
	case v.Kind == "gone" || v.Kind == "unheard":
		out = append(out, analysis.RelatedInformation{Pos: v.Left, Message: "returns and receives no more"})
	default:
		out = append(out, analysis.RelatedInformation{Pos: v.Left, Message: "returns and leaves " + v.Subject})
	}
	return out
}

func message(v summaries.Verdict) string {
	switch v.Kind {
	case "outlives":
		return "goroutine waits in " + v.Wait + trace.Via(v.Via) + " and " + v.Ctx + " ends with the response"
	case "pipe":
		return "goroutine waits in " + v.Wait + " and a return leaves " + v.Subject + " unread"
	case "open":
		return "goroutine waits in " + v.Wait + trace.Via(v.Via) + " and a return leaves " + v.Subject + " open"
	case "gone":
		return "goroutine waits in " + v.Wait + trace.Via(v.Via) + " and nobody receives once " + v.Subject + " has returned"
	case "unheard":
		return "goroutine waits in " + v.Wait + trace.Via(v.Via) + " and a return leaves nobody who receives"
	case "subscription", "unclosed":
		return "goroutine waits in " + v.Wait + " and nobody closes " + v.Subject
	case "lifetime":
		return "goroutine of each " + v.Subject + " ends only by " + v.Wait
	}
	return "goroutine waits in " + v.Wait + trace.Via(v.Via) + " and does not end when " + v.Ctx + " is done"
}
