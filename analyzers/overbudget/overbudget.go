// Package overbudget reports times that cannot work.
package overbudget

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/trace"
	"github.com/doneby/doneby/passes/budgets"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:       "overbudget",
	Doc:        "report times that cannot work\n\nThe timeouts below a timeout add up to more than it allows, or it covers more than it was made for.",
	URL:        "https://github.com/doneby/doneby/tree/main/analyzers/overbudget",
	Run:        policy.Run(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, budgets.Analyzer},
	ResultType: policy.ResultType,
}

func run(pass *analysis.Pass) error {
	for _, m := range budgets.Of(pass).Misfits() {
		check(pass, m)
	}
	return nil
}

// check reports a sum that does not fit, at the timeout that it does not fit into; the parts are related, in order.
func check(pass *analysis.Pass, m budgets.Misfit) {
	pos, end := budgets.Range(pass.Files, m.At)
	d := analysis.Diagnostic{Pos: pos, End: end, URL: pass.Analyzer.URL + "#" + m.Kind, Message: message(m)}
	for _, part := range shown(m.Parts) {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: part.Pos, Message: part.Text})
	}
	pass.Report(d)
}

// shown returns the parts that are related: the longest, where there are too many, in their order.
func shown(parts []budgets.Part) []budgets.Part {
	for len(parts) > trace.Max {
		least := 0
		for i, p := range parts {
			if p.For < parts[least].For {
				least = i
			}
		}
		parts = slices.Delete(slices.Clone(parts), least, least+1)
	}
	return parts
}

// message writes the sum out.
func message(m budgets.Misfit) string {
	limit, total := durations.Text(m.Limit), durations.Text(m.Total)
	switch m.Kind {
	case "loop":
		return fmt.Sprintf("timeout of %s covers a loop of calls that take up to %s each", limit, durations.Text(m.Each))
	case "attempts":
		return attempts(m)
	case "pages":
		return fmt.Sprintf("timeout of %s covers all pages of %s, and each reply may ask for another", limit, m.Name)
	case "shadow":
		return fmt.Sprintf("timeout of %s also covers %s, which the code around it calls without it", limit, m.Name)
	case "write":
		return fmt.Sprintf("WriteTimeout of %s cuts off a handler that takes up to %s", limit, total)
	case "stream":
		return fmt.Sprintf("WriteTimeout of %s cuts off a handler that writes until its client leaves", limit)
	case "never":
		if m.Limit == 0 {
			return "timeout begins anew with each tick beside it and never comes"
		}
		return fmt.Sprintf("timeout of %s begins anew with each tick beside it and never comes", limit)
	case "declared":
		return declared(m)
	case "dialer":
		return fmt.Sprintf("timeout of %s for a request is not above that of its dialer, %s", limit, total)
	}
	return fmt.Sprintf("shutdown allows %s and its steps take up to %s = %s", limit, steps(m), total)
}

// attempts is the sum of attempts that cap themselves, or their number where the first may take all.
func attempts(m budgets.Misfit) string {
	limit := durations.Text(m.Limit)
	switch {
	case m.Count == 0:
		return fmt.Sprintf("timeout of %s covers all attempts, and the first may take all of it", limit)
	case m.Each == 0:
		return fmt.Sprintf("timeout of %s covers %d attempts, and the first may take all of it", limit, m.Count)
	}
	sum := fmt.Sprintf("%d × %s", m.Count, durations.Text(m.Each))
	if m.Pause > 0 {
		sum += fmt.Sprintf(" + %d × %s", m.Count-1, durations.Text(m.Pause))
	}
	return fmt.Sprintf("attempts take up to %s = %s and the timeout around them is %s", sum, durations.Text(m.Total), limit)
}

// declared is the sum of what a function may take, against the budget that is declared for it.
func declared(m budgets.Misfit) string {
	budget := "its budget is " + durations.Text(m.Budget)
	if m.Limit < m.Budget {
		budget = fmt.Sprintf("its budget of %s leaves %s", durations.Text(m.Budget), durations.Text(m.Limit))
	}
	if m.Endless != "" {
		return fmt.Sprintf("%s waits in %s, which nothing ends, and %s", m.Name, m.Endless, budget)
	}
	var all []string
	for _, p := range m.Parts {
		all = append(all, p.Shown)
	}
	sum := strings.Join(all, " + ")
	if total := durations.Text(m.Total); sum != total {
		sum += " = " + total
	}
	return fmt.Sprintf("%s takes up to %s and %s", m.Name, sum, budget)
}

func steps(m budgets.Misfit) string {
	var all []string
	for _, p := range m.Parts {
		all = append(all, durations.Text(p.For))
	}
	return strings.Join(all, " + ")
}
