// Package lostdeadline reports deadlines that do not get from one machine to the next.
package lostdeadline

import (
	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
	"github.com/doneby/doneby/passes/wires"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:       "lostdeadline",
	Doc:        "report deadlines that are lost between machines\n\nA request or message leaves the deadline of its context behind, or brings one along that nobody applies.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/lostdeadline",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, summaries.Analyzer, wires.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	for _, l := range wires.Of(pass).Losses() {
		check(pass, l)
	}
	return nil
}

// check reports a deadline where it is lost. In a package that imports the runtime package all kinds are one: there deadlines are
// meant to travel.
func check(pass *analysis.Pass, l wires.Loss) {
	kind := l.Kind
	if wires.Of(pass).Adopted() {
		kind = "adopted"
	}
	pos, end := summaries.Of(pass).Range(summaries.Verdict{Pos: l.Pos})
	d := analysis.Diagnostic{Pos: pos, End: end, URL: pass.Analyzer.URL + "#" + kind, Message: message(l)}
	for _, at := range l.Also[:min(len(l.Also), trace.Max)] {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: at.Pos, Message: at.Text})
	}
	pass.Report(d)
}

// message says which deadline is lost, and how. It names no wait.
func message(l wires.Loss) string {
	switch {
	case l.Kind == "request":
		return l.Call + " leaves the deadline of " + l.Ctx + " behind"
	case l.Kind == "message":
		return l.Call + " leaves the deadline of " + l.Ctx + " behind: " + l.Name + " is not set"
	case l.Kind == "constant":
		return l.Name + " says " + l.Call + ", and the deadline of " + l.Ctx + " has no part in it"
	case l.Kind == "unread":
		return l.Name + " is never read, and " + l.Call + " begins and goes on without it"
	case l.Kind == "unapplied" && l.Call != "":
		return l.Name + " is read and not applied, and " + l.Call + " goes on after it"
	case l.Kind == "unapplied":
		return l.Name + " is read and not applied"
	case l.Ctx != "":
		return l.Name + " sends the deadline of " + l.Ctx + " as an instant of this machine's clock"
	}
	return "deadline from " + l.Name + " is an instant of another machine's clock"
}
