// Package ignores reports ignores that are in vain or say too little, budgets that cannot be read, and packages that could not be analysed. It is no
// rule: it has no kinds and no tier, and is always on.
package ignores

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer runs after every pass and rule.
var Analyzer = over(passes, rules)

// over returns the analyzer that judges the ignores of those rules.
func over(passes, rules []*analysis.Analyzer) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     "ignores",
		Doc:      "report ignores without a reason or in vain\n\nReports also, once, a package that could not be analysed.",
		URL:      "https://github.com/doneby/doneby/tree/main/analyzers/ignores",
		Requires: slices.Concat([]*analysis.Analyzer{settings.Analyzer}, passes, rules),
		Run:      run,
	}
}

func run(pass *analysis.Pass) (_ any, _ error) {
	if !policy.Own(pass) {
		return nil, nil
	}
	defer func() {
		if v := recover(); v != nil {
			incomplete(pass, policy.Panicked(pass, v))
		}
	}()
	if why := policy.Inherited(pass); why != "" {
		incomplete(pass, why)
	}
	c := judge{pass, hits(pass), judged(pass)}
	for _, file := range pass.Files {
		if !policy.Reported(pass, file) {
			continue // findings are dropped there, so an ignore says nothing either way
		}
		for _, d := range policy.Directives(pass.Fset, file) {
			c.check(d)
		}
		for _, b := range policy.Budgets(pass.Fset, file) {
			if b.Wrong != "" {
				c.report(policy.Directive{Pos: b.Pos, End: b.End}, "form", b.Wrong)
			}
		}
	}
	return nil, nil
}

// incomplete reports that the package could not be analysed, at its package clause, so that drivers that know nothing of
// marks fail as well.
func incomplete(pass *analysis.Pass, why string) {
	if len(pass.Files) == 0 {
		return // no place to say it; a package without files has nothing to find
	}
	name := pass.Files[0].Name
	pass.Report(analysis.Diagnostic{
		Pos: name.Pos(), End: name.End(), URL: "#incomplete",
		Message: "could not analyse " + pass.Pkg.Path() + ": " + why,
	})
}

// hits collects the ignores that hid something.
func hits(pass *analysis.Pass) map[policy.Hit]bool {
	used := map[policy.Hit]bool{}
	for _, a := range pass.Analyzer.Requires {
		if res, ok := pass.ResultOf[a].(policy.Marked); ok {
			for _, hit := range res.Hits() {
				used[hit] = true
			}
		}
	}
	return used
}

// judged returns the kinds whose ignores can be called vain: their rule ran to its end, and they are shown.
func judged(pass *analysis.Pass) []kinds.Kind {
	ran := map[string]bool{}
	for _, a := range pass.Analyzer.Requires {
		if res, ok := pass.ResultOf[a].(*policy.Result); ok && res.Why() == "" {
			ran[a.Name] = true
		}
	}
	var ks []kinds.Kind
	for _, k := range kinds.All {
		if ran[k.Rule] && settings.Of(pass).Shows(k) {
			ks = append(ks, k)
		}
	}
	return ks
}

// judge looks at one directive after the other.
type judge struct {
	pass   *analysis.Pass
	used   map[policy.Hit]bool
	judged []kinds.Kind
}

func (c judge) check(d policy.Directive) {
	switch {
	case d.Form == policy.Nolint:
		return // golangci-lint's own, and its nolintlint's
	case d.Form == policy.Malformed:
		c.report(d, "form", d.Reason)
		return
	case len(d.Names) == 0:
		c.report(d, "unknown", "ignore names no rule")
		return
	case d.Reason == "":
		c.report(d, "reason", "ignore of "+strings.Join(d.Names, ",")+" gives no reason")
	}
	for _, name := range d.Names {
		c.name(d, name)
	}
}

// name checks one name of a directive.
func (c judge) name(d policy.Directive, name string) {
	rule, kind, sub := strings.Cut(name, "/")
	if !kinds.Known(rule) {
		c.report(d, "unknown", "ignore of "+name+" names no rule of doneby")
		return
	}
	if !kinds.Built(rule) {
		return // nothing is known of its kinds, and it hides nothing yet
	}
	if _, ok := kinds.Lookup(rule, kind); sub && !ok {
		c.report(d, "unknown", "ignore of "+name+" names no kind of "+rule)
		return
	}
	judged := slices.ContainsFunc(c.judged, func(k kinds.Kind) bool { return name == k.Rule || name == k.String() })
	if judged && !c.used[policy.Hit{Pos: d.Pos, Name: name}] {
		c.report(d, "vain", "ignore of "+name+" hides nothing")
	}
}

func (c judge) report(d policy.Directive, kind, message string) {
	c.pass.Report(analysis.Diagnostic{Pos: d.Pos, End: d.End, URL: "#" + kind, Message: message})
}
