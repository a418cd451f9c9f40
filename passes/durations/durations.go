// Package durations knows which expressions are constant durations, and how long.
//
// The value of an expression is a point in a lattice of height three: not yet known (a φ that is being looked at), one
// number, unknown. Base case: constants. Step: conversions, integer arithmetic, which saturates and never overflows, min and
// max, a φ whose edges agree; a local variable that is stored once, before it is read; a package variable with one store, its
// initialisation; a field whose every store in the package is the same number; a call of a function whose every return is
// the same number. Variables, fields and functions that depend on themselves are unknown, and so is what takes too many
// steps.
//
// It does not know what a flag, a configuration file or another package stores: a variable or field whose address is taken,
// an exported field of an exported struct and a field with a tag are unknown. It does not know floating-point arithmetic
// beyond constants.
package durations

import (
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer finds the constants behind the durations of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "durations",
	Doc:        "know which expressions are constant durations",
	Run:        policy.Pass(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, ir.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(always)},
}

// always is the fact of an exported variable that always has, or an exported function that always returns, one number.
type always struct{ N int64 }

func (*always) AFact() {}

func (a *always) String() string { return "always " + Text(time.Duration(a.N)) }

// Result says which values of one package are constant durations. The zero Result knows constants only.
type Result struct {
	policy.Mark
	imported map[types.Object]int64    // facts of variables and functions of imports
	globals  map[*ssa.Global]*stored   // of this package, like the next two
	fields   map[*types.Var]*stored    // by origin
	returns  map[*ssa.Function]*stored // declared functions with one integer result
	order    []*stored                 // globals and fields in the order of the source
}

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

// Of returns the duration that the integer value v surely has; false when that is not known. A plain number is returned as
// it is: the 5 of time.Duration(5)*time.Second is 5ns.
func (r *Result) Of(v ssa.Value) (time.Duration, bool) { return r.ask(v, evaluation{}) }

// ask answers one question.
func (r *Result) ask(v ssa.Value, e evaluation) (time.Duration, bool) {
	if v == nil {
		return 0, false
	}
	e.r, e.fuel, e.open = r, maxSteps, map[*ssa.Phi]bool{}
	n, st := e.of(v)
	return time.Duration(n), st == known
}

// Usual is Of for what a program has unless its user or importer says otherwise: an exported field, or one with a tag, counts by the
// only value that this package stores to it.
func (r *Result) Usual(v ssa.Value) (time.Duration, bool) { return r.ask(v, evaluation{usual: true}) }

// Most is Of for a length with a part that is drawn at random: what it may come to, the end of the draw included.
func (r *Result) Most(v ssa.Value) (time.Duration, bool) { return r.ask(v, evaluation{most: true}) }

// Default returns the number that a field of this package has where nobody stores another: the only one that is stored to it and known,
// beside others that are not, such as an option's. False when there is none, or when the field's address goes elsewhere.
func (r *Result) Default(v ssa.Value) (time.Duration, bool) {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return 0, false
	}
	field, _ := ssawalk.Field(load.X)
	s := r.fields[field]
	if field == nil || s == nil || s.taken {
		return 0, false
	}
	n, found := time.Duration(0), false
	for _, stored := range s.values {
		d, known := r.Of(stored)
		if known && found && d != n {
			return 0, false
		}
		if known {
			n, found = d, true
		}
	}
	return n, found
}

// Describe returns the duration that v surely has as messages show it, such as 1m30s, or "" when it is not known.
func (r *Result) Describe(v ssa.Value) string {
	d, ok := r.Of(v)
	if !ok {
		return ""
	}
	return Text(d)
}

func run(pass *analysis.Pass) (*Result, error) {
	funcs := ir.Of(pass)
	r := &Result{
		imported: map[types.Object]int64{},
		globals:  map[*ssa.Global]*stored{},
		fields:   map[*types.Var]*stored{},
		returns:  map[*ssa.Function]*stored{},
	}
	if funcs.Pkg == nil {
		return r, nil
	}
	r.index(pass, funcs)
	r.settle(funcs)
	r.export(pass, funcs)
	return r, nil
}

// export writes the facts of what other packages can name.
func (r *Result) export(pass *analysis.Pass, funcs *ir.Result) {
	scope := pass.Pkg.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || !v.Exported() || inTest(pass, v) {
			continue
		}
		if n, ok := r.global(funcs.Pkg.Var(name)); ok {
			pass.ExportObjectFact(v, &always{n})
		}
	}
	for _, fn := range funcs.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !obj.Exported() || inTest(pass, obj) {
			continue
		}
		if n, ok := r.result(fn); ok {
			pass.ExportObjectFact(obj, &always{n})
		}
	}
}

func inTest(pass *analysis.Pass, obj types.Object) bool {
	return strings.HasSuffix(pass.Fset.PositionFor(obj.Pos(), false).Filename, "_test.go")
}
