// Package contexts tells where each context comes from, and what bounds it.
//
// A context is an SSA value; its origins are found by a memoised walk over its operands, joined over paths. The walk also
// follows what carries a context: requests, streams, commands, framework contexts, database handles bound to one. A
// parameter is its own origin (kind Param): what callers pass for it is the business of package summaries, which puts the
// origins of the argument in its place.
//
// Base case: parameters, what the knowledge tables say of a call, variables and fields by all that is stored to them in the
// package. Step: operands. Cycles (a context derived in a loop) give what the rest of the cycle gives. The lattice is the
// sets of origins that occur in the package: finite.
//
// It does not know what is kept in maps, slices and channels, nor what a function value that cannot be told returns: those
// are unknown, and unknown is never reported.
package contexts

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/entrypoints"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer finds the origins of contexts.
var Analyzer = &analysis.Analyzer{
	Name:       "contexts",
	Doc:        "find where each context comes from and what bounds it",
	Run:        policy.Pass(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, durations.Analyzer, entrypoints.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(returns), new(holds)},
}

// Result answers for one package. It remembers its answers without a lock: the passes that ask it run one after the other,
// since each requires the one before (a test of package ignores holds them to it).
type Result struct {
	policy.Mark
	pass    *analysis.Pass
	pkg     *ssa.Package
	ir      *ir.Result
	tables  *knowledge.Tables
	lengths *durations.Result
	stores  *stores

	targets   map[*ssa.CallCommon]targets
	rows      map[*types.Func]rowOf
	names     map[*types.Func]string
	carries   map[types.Type]bool // see Carries
	memo      map[ssa.Value]Set
	keeps     map[*ssa.Parameter][]*types.Var
	open      map[ssa.Value]int // values on the stack, by depth
	results   map[*ssa.Function][]Set
	limits    map[ssa.Value]Limit
	boundOn   map[string]bool                // types on whose values a call of the package sets a bound; nil until asked
	lifes     map[*types.Func]bool           // the methods Context that return a component's own
	given     map[*ssa.Parameter][]ssa.Value // clients given for parameters
	setters   map[string]bool                // see setter
	standard  *Limit                         // see DefaultLimit
	settings  map[any][]*ssa.FieldAddr       // see setLater
	libraries map[string]bool                // see LimitsLibrary
	setBy     map[*ssa.Function]bool         // functions that are being asked what they set, see givenAway
	plain     bool                           // see startsPlain
}

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

func run(pass *analysis.Pass) (*Result, error) {
	code := ir.Of(pass)
	if code.Pkg == nil {
		return new(Result), nil // not own: nothing is asked about it
	}
	r := &Result{
		pass:    pass,
		pkg:     code.Pkg,
		ir:      code,
		tables:  settings.Of(pass).Knowledge(),
		lengths: durations.Of(pass),
		stores:  indexStores(code),
		targets: make(map[*ssa.CallCommon]targets),
		rows:    make(map[*types.Func]rowOf),
		names:   make(map[*types.Func]string),
		carries: make(map[types.Type]bool),
		memo:    make(map[ssa.Value]Set),
		open:    make(map[ssa.Value]int),
		results: make(map[*ssa.Function][]Set),
		limits:  make(map[ssa.Value]Limit),
		setBy:   make(map[*ssa.Function]bool),
		lifes:   make(map[*types.Func]bool),
	}
	r.plain = r.startsPlain()
	r.export()
	return r, nil
}
