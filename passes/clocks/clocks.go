// Package clocks knows which values are readings of this process's clock, and which of them have lost the monotonic part:
// time.Now has one, and UTC, Local, In, the Unix numbers, rounding and a round trip through text leave it out. Two readings of
// which one lost it are compared by the wall clock, which somebody may set in between (package time, "Monotonic Clocks").
//
// A value is a point in a lattice: nothing yet, a reading with the set of places where the part was lost, unknown. Base case:
// time.Now, and a method Now without parameters of an interface, which is how clocks are replaced in tests. Step: Add, the
// arithmetic of Unix numbers, conversions, φ, variables; fields, package variables, the maps kept in them and atomic values
// by all that is stored there in the package; parameters of unexported functions by their calls, results by their returns,
// those of other own packages by their facts. All is gone through until nothing changes: the sets only grow, and the places
// are finite.
//
// Instants that come from outside are unknown, and so is a field that also gets one, that has a tag, or whose address goes
// elsewhere; Round(0) and Truncate(0), which ask for wall time, and to periods of the calendar; numbers that are divided into buckets or counted up. It does not
// know what is kept in slices, channels and lists.
package clocks

import (
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/accepts"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer finds readings that lost their monotonic part and are used as if they had it.
var Analyzer = &analysis.Analyzer{
	Name:       "clocks",
	Doc:        "find readings of the clock that lost their monotonic part",
	Run:        policy.Pass(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, contexts.Analyzer, accepts.Analyzer}, // the last for its turn with contexts
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(reads)},
}

// reads is the fact of an exported function whose first result is always a reading of this process's clock.
type reads struct{ Lost bool }

func (*reads) AFact() {}

func (f *reads) String() string {
	if f.Lost {
		return "reads the wall clock"
	}
	return "reads the clock"
}

// Use is a reading without its monotonic part that is set against another one, or used as a deadline.
type Use struct {
	Lost     ssa.CallInstruction   // the call that left the part out
	Also     []ssa.CallInstruction // others whose readings come to the same place
	How      string                // its name: UTC, UnixNano
	At       ssa.Instruction       // where it is used
	Deadline bool                  // as a deadline, or the length of a pause or timeout; otherwise it is set against another reading
	Decides  bool                  // a branch, a pause or a timeout depends on how they compare
}

// Result lists the uses in one package.
type Result struct {
	policy.Mark
	uses []Use
}

// Uses returns the uses, one for each place where readings meet, in source order of where the part was lost. None is in a test.
func (r *Result) Uses() []Use { return r.uses }

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

func run(pass *analysis.Pass) (*Result, error) {
	code := ir.Of(pass)
	if code.Pkg == nil {
		return new(Result), nil // not own
	}
	p := newProgram(pass, code)
	if !p.reads {
		return new(Result), nil // nothing in the package reads a clock
	}
	p.settle()
	out := &Result{uses: p.uses()}
	p.export(out.uses)
	return out, nil
}

// export writes the facts of functions that other packages can name. Of a reading that is reported here they need to know nothing.
func (p *program) export(uses []Use) {
	spoken := map[ssa.CallInstruction]bool{}
	for _, u := range uses {
		spoken[u.Lost] = true
		for _, c := range u.Also {
			spoken[c] = true
		}
	}
	for _, fn := range p.code.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !typeset.Exported(obj) || p.code.InTest(fn) || fn.Signature.Results().Len() == 0 || !timely(fn.Signature.Results().At(0).Type()) {
			continue
		}
		r := p.node(place{fn: fn}).now
		if r.state == own && !slices.ContainsFunc(r.lost, func(c *ssa.Call) bool { return spoken[c] }) {
			p.pass.ExportObjectFact(obj, &reads{len(r.lost) > 0})
		}
	}
}

// timely reports whether values of type t are instants or may be their numbers.
func timely(t types.Type) bool {
	if typeset.IsTime(t) {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

// calls resolves a call to the one function that it runs.
func (p *program) calls(c *ssa.CallCommon) (contexts.Target, string) {
	targets, _ := p.ctx.Targets(c)
	if len(targets) != 1 {
		return contexts.Target{}, ""
	}
	return targets[0], p.ctx.Name(targets[0].Obj)
}
