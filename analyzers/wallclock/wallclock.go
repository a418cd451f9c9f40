// Package wallclock reports times that move when the clock is set.
package wallclock

import (
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/passes/clocks"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:       "wallclock",
	Doc:        "report times that move when the clock is set\n\nA reading of this process's clock that lost its monotonic part is a deadline, or is set against another reading.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/wallclock",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, clocks.Analyzer, summaries.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	for _, u := range clocks.Of(pass).Uses() {
		check(pass, u)
	}
	return nil
}

// check reports a reading where it loses its monotonic part, which is the line to edit; where it is used is related.
func check(pass *analysis.Pass, u clocks.Use) {
	kind, msg, at := "reading", "time from "+u.How+" is set against another reading and moves with the clock", "set against it here"
	switch {
	case u.Deadline:
		kind, msg, at = "deadline", "deadline from "+u.How+" moves with the clock", "the deadline"
	case !u.Decides:
		kind, msg, at = "measure", "duration from "+u.How+" moves with the clock", "measured here"
	}
	related := []analysis.RelatedInformation{{Pos: u.At.Pos(), Message: at}}
	for _, c := range u.Also[:min(len(u.Also), trace.Max-1)] {
		pos, _ := rangeOf(pass, c)
		related = append(related, analysis.RelatedInformation{Pos: pos, Message: "lost here too"})
	}
	pos, end := rangeOf(pass, u.Lost)
	pass.Report(analysis.Diagnostic{
		Pos: pos, End: end,
		URL:     pass.Analyzer.URL + "#" + kind,
		Message: msg,
		Related: related,
	})
}

func rangeOf(pass *analysis.Pass, call ssa.CallInstruction) (pos, end token.Pos) {
	return summaries.Of(pass).Range(summaries.Verdict{Pos: call.Common().Pos()})
}
