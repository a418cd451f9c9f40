package driver

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/policy"
)

// analyse runs the analyzers over the unit. A problem that it returns ends the unit and its dependents; one that it
// leaves in the unit does not.
func (r *run) analyse(u *unit) (problem *Problem) {
	u.ran = true
	defer func() {
		if v := recover(); v != nil {
			problem = r.panicked(u, v)
		}
	}()
	c, problem := r.load(u)
	if problem != nil {
		return problem
	}
	if err := r.readFacts(u, c.im); err != nil {
		return &Problem{Package: u.ImportPath, Message: err.Error()}
	}
	facts := newFactSet(c.pkg, c.im)
	results := make(map[*analysis.Analyzer]any)
	for _, a := range r.analyzers {
		if missing := slices.IndexFunc(a.Requires, func(req *analysis.Analyzer) bool { _, ok := results[req]; return !ok }); missing >= 0 {
			continue // it failed, and that was noted
		}
		result, err := a.Run(r.pass(u, c, a, facts, results))
		if err != nil {
			u.incomplete(fmt.Sprintf("analyzer %s: %v", a.Name, err))
			continue
		}
		if marked, ok := result.(policy.Marked); ok && marked.Why() != "" {
			u.incomplete(marked.Why())
		}
		results[a] = result
	}
	if err := r.export(u, c.pkg, facts); err != nil {
		return &Problem{Package: u.ImportPath, Message: err.Error()}
	}
	return nil
}

// incomplete notes that a part of the analysis gave up. The first says why; the others follow from it.
func (u *unit) incomplete(why string) {
	if u.problem == nil {
		u.problem = incompleteProblem(u.ImportPath, why)
	}
}

func incompleteProblem(pkg, why string) *Problem {
	return &Problem{Package: pkg, Message: "could not be analysed: " + strings.TrimPrefix(why, "could not analyse "+pkg+": ")}
}

func (r *run) panicked(u *unit, v any) *Problem {
	p := &Problem{Package: u.ImportPath, Message: fmt.Sprintf("could not be analysed: panic: %v", v)}
	if r.o.Debug {
		for line := range bytes.Lines(debug.Stack()) {
			p.Details = append(p.Details, string(bytes.TrimRight(line, "\n")))
		}
	}
	return p
}

// readFacts makes the facts known that the unit may see: those of its direct imports, and of others those that travel.
func (r *run) readFacts(u *unit, im *importer) error {
	for _, dep := range u.all {
		if err := im.readFacts(dep.path(), dep.facts); err != nil {
			return fmt.Errorf("cannot import %s: %w", dep.ImportPath, err)
		}
	}
	return nil
}

// pass returns what the analyzer gets to see.
func (r *run) pass(u *unit, c *checked, a *analysis.Analyzer, facts *factSet, results map[*analysis.Analyzer]any) *analysis.Pass {
	inputs := make(map[*analysis.Analyzer]any, len(a.Requires))
	for _, req := range a.Requires {
		inputs[req] = results[req]
	}
	root := slices.Contains(r.o.Analyzers, a)
	return &analysis.Pass{
		Analyzer:   a,
		Fset:       r.fset,
		Files:      c.files,
		Pkg:        c.pkg,
		TypesInfo:  c.info,
		TypesSizes: r.sizes,
		Module:     u.Module,
		ResultOf:   inputs,
		ReadFile: func(name string) ([]byte, error) {
			if i := slices.Index(u.files, name); i >= 0 {
				return u.contents[i], nil
			}
			return os.ReadFile(name)
		},
		Report: func(d analysis.Diagnostic) {
			if root {
				u.report(r.fset, a, d)
			}
		},
		ImportObjectFact:  facts.importObject,
		ExportObjectFact:  facts.exportObject,
		ImportPackageFact: facts.importPackage,
		ExportPackageFact: facts.exportPackage,
		AllObjectFacts:    func() []analysis.ObjectFact { panic("facts of all imports are not the same under every driver") },
		AllPackageFacts:   func() []analysis.PackageFact { panic("facts of all imports are not the same under every driver") },
	}
}
