// Package policy decides which findings reach the user. It wraps the Run of every rule and pass, in the analyzer variable
// itself, so that every driver gets the same: only own packages are looked at, findings in generated files and test files
// are dropped, ignores are matched, then what the settings hide is dropped, and a panic ends one package and not the run.
package policy

import (
	"reflect"

	"golang.org/x/tools/go/analysis"
)

// Mark says whether a result is complete. Every result embeds one.
type Mark struct {
	// Incomplete is "" when the result is complete, and otherwise says which analyzer gave up and why. Whoever requires an
	// incomplete result returns an incomplete one at once.
	Incomplete string
	hits       []Hit
}

// Why returns Incomplete. It is a method so that a mark can be read through any result that embeds one.
func (m *Mark) Why() string { return m.Incomplete }

// Hits returns the ignores that this result made use of.
func (m *Mark) Hits() []Hit { return m.hits }

func (m *Mark) mark() *Mark { return m }

// Marked is any result that embeds a Mark, by its pointer.
type Marked interface {
	Why() string
	Hits() []Hit
	mark() *Mark
}

// Result is the result of every rule: which ignores hid something.
type Result struct{ Mark }

// ResultType is what a rule's analyzer says as its ResultType.
var ResultType = reflect.TypeFor[*Result]()

// Run wraps the run of a rule. In packages that are not own, run is not called.
func Run(run func(*analysis.Pass) error) func(*analysis.Pass) (any, error) {
	return Pass(func(pass *analysis.Pass) (*Result, error) {
		res := &Result{}
		var found []analysis.Diagnostic
		rule := *pass
		rule.Report = func(d analysis.Diagnostic) { found = append(found, d) }
		err := run(&rule)
		if err != nil {
			return res, err
		}
		return res, deliver(pass, res, found)
	})
}

// Pass wraps the run of a pass, whose result embeds a Mark. In packages that are not own, run is not called and the result
// is the zero R; it is that also when the pass gave up, so the methods of R must answer "unknown" on a zero R.
//
// P is inferred: Pass(run) is all that is written.
func Pass[R any, P interface {
	*R
	Marked
}](run func(*analysis.Pass) (*R, error)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (any, error) {
		if len(pass.Files) == 0 || !Own(pass) {
			return new(R), nil // golangci-lint runs packages that have only tests without these too, and dies of a package fact
		}
		if why := Inherited(pass); why != "" {
			return incomplete[R, P](why), nil
		}
		res, why := caught(pass, run)
		if why != "" {
			return incomplete[R, P](why), nil
		}
		if res == nil {
			res = new(R)
		}
		return res, nil
	}
}

// incomplete returns a result that says nothing but why it is incomplete.
func incomplete[R any, P interface {
	*R
	Marked
}](why string) *R {
	res := new(R)
	P(res).mark().Incomplete = why
	return res
}

// Inherited returns why the first incomplete result among those that the pass requires is incomplete, or "".
func Inherited(pass *analysis.Pass) string {
	for _, a := range pass.Analyzer.Requires {
		if res, ok := pass.ResultOf[a].(Marked); ok && res.Why() != "" {
			return res.Why()
		}
	}
	return ""
}
