package driver

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/doneby/doneby/internal/policy"
)

// oracle runs x/tools' own driver, for tests to compare with: "plain" over the packages that were asked for alone, as
// ours does; "full" over all dependencies from source.
func oracle(ctx context.Context, o Options) (*Report, error) {
	mode := packages.LoadSyntax | packages.NeedModule
	if o.Engine == "full" {
		mode = packages.LoadAllSyntax | packages.NeedModule
	}
	cfg := &packages.Config{Context: ctx, Mode: mode, Dir: o.Dir, Tests: o.Tests || o.Config.Tests}
	if o.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + o.Tags}
	}
	patterns := o.Patterns
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	pkgs, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	report := new(Report)
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool {
		for _, e := range p.Errors {
			report.Problems = append(report.Problems, Problem{Package: p.ID, Message: e.Error()})
		}
		return len(p.Errors) > 0
	})
	if o.Engine == "plain" {
		rootsOnly(pkgs)
	}
	graph, err := checker.Analyze(o.Analyzers, pkgs, nil)
	if err != nil {
		return nil, err
	}
	for _, act := range graph.Roots {
		report.add(act)
	}
	return report, nil
}

// rootsOnly cuts off the packages that have no syntax: the checker would run fact analyzers over them and die.
func rootsOnly(roots []*packages.Package) {
	for _, p := range roots {
		for path, imp := range p.Imports {
			if !slices.Contains(roots, imp) {
				delete(p.Imports, path)
			}
		}
	}
}

// add notes what one analyzer said of one package.
func (r *Report) add(act *checker.Action) {
	id := act.Package.ID
	if act.Err != nil {
		r.Problems = append(r.Problems, Problem{Package: id, Message: fmt.Sprintf("analyzer %s: %v", act.Analyzer.Name, act.Err)})
		return
	}
	if marked, ok := act.Result.(policy.Marked); ok && marked.Why() != "" {
		r.Problems = append(r.Problems, *incompleteProblem(id, marked.Why()))
	}
	r.Analysed = append(r.Analysed, id)
	for _, d := range act.Diagnostics {
		f := toFinding(act.Package.Fset, act.Analyzer, d)
		f.Package = act.Package.PkgPath
		if f.isIncomplete() {
			r.Problems = append(r.Problems, *incompleteProblem(id, f.Message))
			continue
		}
		r.Findings = append(r.Findings, f)
	}
}
