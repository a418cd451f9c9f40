// Package budgets adds up the timeouts of a package: how long each function may take under a context that it is given, by the
// caps that it puts on itself, and which sums do not fit into the cap above them.
//
// A cap is a context with a constant timeout; it begins to run where it is made. The longest time of a function under a
// context parameter is the longest path through it: a cap weighs its length where it is made, a call of an own function what
// that takes, any other wait under the parameter itself is open, and so is a loop around something that takes time unless its
// rounds are counted. Callees come first; recursion is open. Sums saturate. The lattice is: no time, so long, of unknown
// length, open; a fact says it of the functions that others can name.
//
// Beside it stands what a function surely takes, whatever its context allows (bill.go): from the other side, so that what is not
// known adds nothing. It is held against budgets that the code or the configuration declares.
//
// It does not know goroutines, which run beside the path, unless a group waits for them; caps on one branch only; contexts kept in
// fields.
package budgets

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"sort"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/clocks"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/entrypoints"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
	"github.com/doneby/doneby/passes/summaries"
)

// Analyzer adds up timeouts.
var Analyzer = &analysis.Analyzer{
	Name:       "budgets",
	Doc:        "add up timeouts and find sums that do not fit",
	Run:        policy.Pass(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, durations.Analyzer, entrypoints.Analyzer, contexts.Analyzer, summaries.Analyzer, clocks.Analyzer}, // the last for its turn with contexts
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(takesFact), new(costs)},
}

// takesFact is the fact of a function that takes time under contexts that it is given.
type takesFact struct{ Params []paramTime }

// paramTime is the longest time under one parameter, the receiver counted as the first.
type paramTime struct {
	Param int
	Time  span
	Each  time.Duration // of calls that it repeats, by their own cap; 0 when it repeats none, or counts its rounds
	Pages string        // the call that it repeats for as long as each reply asks for another, without a cap; "" when there is none
	Tries tries         // the attempts that it makes; zero when it makes none, or nobody counted them
}

func (*takesFact) AFact() {}

func (f *takesFact) String() string {
	var parts []string
	for _, p := range f.Params {
		s := fmt.Sprintf("takes %s under param %d", p.Time, p.Param)
		if p.Each > 0 {
			s += " in rounds of " + durations.Text(p.Each)
		}
		if p.Pages != "" {
			s += " for pages of " + p.Pages
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

// Misfit is a sum that does not fit.
type Misfit struct {
	Kind  string        // of rule overbudget
	At    token.Pos     // the cap, or the field, as SSA keeps its position
	Limit time.Duration // what the cap allows
	Each  time.Duration // what one part takes; 0 when it has no cap of its own
	Pause time.Duration // between two of them
	Total time.Duration // what all take
	Count int64         // how many there are, 0 when that is not known
	Name  string        // of what takes the time
	// Budget is what a declared budget says, of which Limit is what its reserve leaves; Endless the wait that breaks it whatever it is.
	Budget  time.Duration
	Endless string
	Parts   []Part
}

// Part is one summand, and where it stands.
type Part struct {
	Pos  token.Pos
	Text string
	For  time.Duration // 0 where it is none of a sum
	// Shown is the summand as the sum has it, of a declared budget: 3 × 2s.
	Shown string
}

// Result lists the misfits of one package.
type Result struct {
	policy.Mark
	misfits  []Misfit
	tightest *Handler
}

// Handler is an entry point with a declared budget.
type Handler struct {
	Name   string
	Budget time.Duration
}

// Tightest returns the entry point of the package with the smallest declared budget, nil when none has one.
func (r *Result) Tightest() *Handler { return r.tightest }

// Misfits returns the sums that do not fit, in source order, one for each cap. None is of a test.
func (r *Result) Misfits() []Misfit { return r.misfits }

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

func run(pass *analysis.Pass) (*Result, error) {
	code := ir.Of(pass)
	if code.Pkg == nil {
		return new(Result), nil // not own
	}
	p := &program{
		pass: pass, code: code, ctx: contexts.Of(pass), lengths: durations.Of(pass), entries: entrypoints.Of(pass),
		sums: summaries.Of(pass), cfg: settings.Of(pass), bills: map[*ssa.Function]bill{},
		times: map[*ssa.Parameter]paramTime{}, open: map[*ssa.Parameter]bool{}, loops: map[*ssa.Function][]*loop{},
		facts: map[*types.Func]*takesFact{},
	}
	out := new(Result)
	for _, fn := range code.Funcs {
		if !code.InTest(fn) {
			out.misfits = append(out.misfits, p.examine(fn)...)
			out.misfits = append(out.misfits, p.fixed(fn)...)
			out.misfits = append(out.misfits, p.anew(fn)...)
		}
	}
	p.declared(out)
	sort.SliceStable(out.misfits, func(i, j int) bool { return out.misfits[i].At < out.misfits[j].At })
	p.export()
	return out, nil
}

// program is the package that is looked at.
type program struct {
	pass    *analysis.Pass
	code    *ir.Result
	ctx     *contexts.Result
	lengths *durations.Result
	entries *entrypoints.Result
	sums    *summaries.Result
	cfg     *settings.Config
	bills   map[*ssa.Function]bill
	times   map[*ssa.Parameter]paramTime
	open    map[*ssa.Parameter]bool // being computed
	loops   map[*ssa.Function][]*loop
	facts   map[*types.Func]*takesFact
}

// export writes the facts of functions that other packages can name.
func (p *program) export() {
	for _, fn := range p.code.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !typeset.Exported(obj) || p.code.InTest(fn) {
			continue
		}
		if b := p.billOf(fn); !b.zero() {
			p.pass.ExportObjectFact(obj, b.fact())
		}
		f := new(takesFact)
		for i, param := range fn.Params {
			if !carries(param.Type()) {
				continue
			}
			if t := p.under(param); !t.Time.zero() {
				t.Param = i
				f.Params = append(f.Params, t)
			}
		}
		if len(f.Params) > 0 {
			p.pass.ExportObjectFact(obj, f)
		}
	}
}

// fact returns the fact of a function of another own package, or nil.
func (p *program) fact(fn *types.Func) *takesFact {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == p.pass.Pkg {
		return nil
	}
	if f, ok := p.facts[fn]; ok {
		return f
	}
	f := new(takesFact)
	if !p.pass.ImportObjectFact(fn, f) {
		f = nil
	}
	p.facts[fn] = f
	return f
}

// carries reports whether a value of type t is a context, or a request, which has one.
func carries(t types.Type) bool { return typeset.IsContext(t) || typeset.IsRequest(t) }
