package driver

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"go/version"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/settings"
)

// A run is one call of Run.
type run struct {
	o         Options
	analyzers []*analysis.Analyzer // all, each after those it requires
	fset      *token.FileSet
	sizes     types.Sizes
	salt      string
	store     *store
	listed    map[string]*listed // by ID
	units     map[string]*unit   // the own packages among them
	order     []*unit            // dependencies first
	shared    *importer

	mu        sync.Mutex
	importers map[string]*importer // for external tests, by the package they test
}

func newRun(o Options) *run {
	o.Tests = o.Tests || o.Config.Tests
	r := &run{o: o, analyzers: required(o.Analyzers), fset: token.NewFileSet(),
		listed: make(map[string]*listed), units: make(map[string]*unit), importers: make(map[string]*importer)}
	r.shared = newImporter(r.fset, func(path string) *listed { return r.listed[path] })
	registerFacts(r.analyzers)
	return r
}

// required returns the analyzers and all that they require, each after what it requires.
func required(roots []*analysis.Analyzer) []*analysis.Analyzer {
	var all []*analysis.Analyzer
	seen := make(map[*analysis.Analyzer]bool)
	var add func(*analysis.Analyzer)
	add = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, req := range a.Requires {
			add(req)
		}
		all = append(all, a)
	}
	for _, a := range roots {
		add(a)
	}
	return all
}

func (r *run) do(ctx context.Context) (*Report, error) {
	report := new(Report)
	l := r.o.Listing
	if l == nil {
		l = new(Listing)
	}
	if err := l.ask(ctx, r.o); err != nil {
		return nil, err
	}
	r.salt = l.salt
	if r.sizes = types.SizesFor("gc", l.env.GOARCH); r.sizes == nil {
		return nil, fmt.Errorf("the sizes of types on GOARCH=%s are not known", l.env.GOARCH)
	}
	r.plan(l.pkgs, report)
	for _, w := range l.warnings {
		if strings.Contains(w, "matched no packages") {
			report.Problems = append(report.Problems, Problem{Message: strings.TrimPrefix(w, "go: warning: ")})
		}
	}
	report.Problems = append(report.Problems, tooNew(r.order, l.env, runtime.Version())...)
	r.checkTables(report)
	if len(report.Problems) > 0 && len(r.order) == 0 {
		return report, nil
	}
	var notice string
	if r.store, notice = openStore(r.o); notice != "" {
		report.Notices = append(report.Notices, notice)
	}
	err := r.schedule(ctx)
	if err == nil {
		r.collect(report)
		if notice := r.store.close(); notice != "" {
			report.Notices = append(report.Notices, notice)
		}
	}
	return report, err
}

// plan makes a unit of each own package, and a problem of each package that was asked for and does not exist.
func (r *run) plan(pkgs []*listed, report *Report) {
	for _, p := range pkgs {
		r.listed[p.ImportPath] = p
	}
	for _, p := range pkgs {
		if p.Dir == "" && p.Error != nil {
			if !p.DepOnly {
				report.Problems = append(report.Problems, Problem{Message: where(p.Error) + firstLine(p.Error.Err)})
			}
			continue // a dependency that is missing is named where it is imported
		}
		if strings.HasSuffix(p.path(), ".test") && p.Name == "main" && p.ForTest == "" {
			continue // the main package that go test writes
		}
		if !own(p, r.o.Config) {
			continue
		}
		if len(p.GoFiles)+len(p.CgoFiles)+len(p.CompiledGoFiles)+len(p.InvalidGoFiles) == 0 {
			if p.Error != nil && !p.DepOnly {
				report.Problems = append(report.Problems, Problem{Package: p.ImportPath, Message: where(p.Error) + firstLine(p.Error.Err)})
			}
			continue // only tests, and tests are off
		}
		if p.ForTest != "" && !p.hasTests() {
			if u := r.units[p.path()]; u != nil {
				r.units[p.ImportPath] = u // compiled anew since it imports what is tested; it says nothing new
				continue
			}
		}
		u := &unit{listed: p, test: p.ForTest != "", root: !p.DepOnly}
		r.units[p.ImportPath] = u
		r.order = append(r.order, u)
		if u.root && !u.test {
			report.Packages++
		}
	}
	for _, u := range r.order {
		u.link(r)
	}
}

// own reports whether the package is the user's: policy decides, here as under every driver.
func own(p *listed, cfg *settings.Config) bool {
	return policy.Own(&analysis.Pass{
		Pkg:      types.NewPackage(p.path(), p.Name),
		Module:   p.Module,
		ResultOf: map[*analysis.Analyzer]any{settings.Analyzer: cfg},
	})
}

func where(err *listError) string {
	if err.Pos == "" {
		return ""
	}
	return err.Pos + ": "
}

// tooNew returns a problem for each module that needs a newer Go than the one doneby was built with, and takes its
// packages out of the run: type-checking them would only give errors about something else.
func tooNew(units []*unit, env buildEnv, built string) []Problem {
	var problems []Problem
	told := make(map[string]bool)
	for _, u := range units {
		if u.Module == nil || u.Module.GoVersion == "" {
			continue
		}
		needs := "go" + u.Module.GoVersion
		if version.Compare(version.Lang(needs), version.Lang(built)) <= 0 {
			continue
		}
		u.failed = "module " + u.Module.Path
		if !told[u.Module.Path] {
			told[u.Module.Path] = true
			problems = append(problems, Problem{Message: fmt.Sprintf(
				"module %s needs %s, and doneby was built with %s: build doneby with %s or newer (the go command is %s)",
				u.Module.Path, needs, built, needs, env.GOVERSION)})
		}
	}
	return problems
}

// collect puts together what the units found.
func (r *run) collect(report *Report) {
	for _, u := range r.order {
		if u.ran {
			report.Analysed = append(report.Analysed, u.ImportPath)
		}
		if u.problem != nil {
			report.Problems = append(report.Problems, *u.problem)
		}
		if u.root {
			report.Findings = append(report.Findings, u.findings...)
		}
	}
	slices.Sort(report.Analysed)
}
