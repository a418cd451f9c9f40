// Package summaries tells what each function does with its caller's time: on which of its parameters it waits, under a
// context of its own, or through an API that carries none; and it gives the verdict on each wait, once, for the rules to
// report.
//
// Base case: the knowledge tables, and, for calls through interfaces and function values with nothing in sight, the
// signature. Step: the waits of a callee, its parameters replaced by the origins of the arguments (package contexts). Inside
// a package the functions are gone through until nothing changes; cycles end since the waits of a function are a set that
// only grows, over the finite keys of package waits. What leaves the package is a fact of the function.
//
// It does not know calls through function values with more than three possible targets, callers in other packages, nor what
// is passed through channels. Unknown waits are counted (Result.Blind) and never reported.
package summaries

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/entrypoints"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/loops"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer summarises functions and judges waits.
var Analyzer = &analysis.Analyzer{
	Name: "summaries",
	Doc:  "find what each function waits for and what ends the wait",
	Run:  analyse,
	Requires: []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, durations.Analyzer, entrypoints.Analyzer, contexts.Analyzer,
		channels.Analyzer, loops.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(waitsFact), new(analysed), new(incomplete)},
}

// Result answers for one package.
type Result struct {
	policy.Mark
	pass    *analysis.Pass
	ir      *ir.Result
	ctx     *contexts.Result
	entries *entrypoints.Result
	lengths *durations.Result
	loops   *loops.Result
	sleep   time.Duration // settings: a shorter pause is not worth a finding

	sums    map[*ssa.Function]*summary
	readers map[*ssa.Function]map[*ssa.Function]bool // who has used whose summary
	callers map[*ssa.Function][]site
	used    map[ssa.CallInstruction]*uses
	current *uses // of the call that is being looked at
	reaches map[*ssa.Function][]contexts.Carrier
	spoken  map[token.Pos]bool          // what is reported at the gate where it stands, or there on purpose
	calls   map[token.Pos]*ast.CallExpr // by the position of the parenthesis, which is what SSA keeps
	impls   *implementers
	flow    *flow
	conns   *conns
	ended   *released
	ops     *channels.Result
	deaf    *deaf
	rooted  map[*ssa.Parameter]bool  // context parameters that are given roots only
	values  map[*ssa.Function]bool   // the functions that are used in another way than called
	dials   map[*ssa.Function]string // the types whose dial functions they are
	driver  bool                     // the package is a database driver

	answered map[token.Pos]bool  // waits for which a function with a carrier has answered
	kept     map[*types.Var]Wait // by field: the nearest wait that a context kept there ends
	takes    map[*ssa.Function][]taken
	giving   map[*ssa.Function][]gift
	asking   map[*ssa.Function]bool // see answersOver
	over     map[exits]ssa.Value    // see overOutside
	verdicts []Verdict
	dbLimit  *bool // see limitsStatements
	blind    int   // see Blind
}

// summary is what is known of one function.
type summary struct {
	waits   waits
	funcs   []paramCall
	scanned bool
	version int // how often it has grown
}

// site is a place that calls a function.
type site struct {
	fn *ssa.Function
	in ssa.CallInstruction
}

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

// Verdicts returns the verdicts that bear the rule's name, in source order.
func (r *Result) Verdicts(rule string) []Verdict {
	var out []Verdict
	for _, v := range r.verdicts {
		if v.Rule == rule {
			out = append(out, v)
		}
	}
	return out
}

// Blind returns how many calls of the package, tests left out, may wait without an answer to what ends the wait: a function
// value that cannot be told, or a wait under a context of which nothing is known. They are never reported.
func (r *Result) Blind() int { return r.blind }

// analyse runs the pass, and tells dependents when the package could not be analysed whole: its functions are unknown then.
func analyse(pass *analysis.Pass) (any, error) {
	res, err := policy.Pass(run)(pass)
	if sum, ok := res.(*Result); ok && sum.Why() != "" {
		pass.ExportPackageFact(&incomplete{Why: sum.Why()})
	}
	return res, err
}

func run(pass *analysis.Pass) (*Result, error) {
	code := ir.Of(pass)
	if code.Pkg == nil {
		return new(Result), nil // not own: the tables speak for it
	}
	r := &Result{
		pass:     pass,
		ir:       code,
		ctx:      contexts.Of(pass),
		entries:  entrypoints.Of(pass),
		lengths:  durations.Of(pass),
		loops:    loops.Of(pass),
		sleep:    settings.Of(pass).Thresholds.Sleep,
		driver:   isDriver(code),
		sums:     make(map[*ssa.Function]*summary),
		callers:  make(map[*ssa.Function][]site),
		rooted:   make(map[*ssa.Parameter]bool),
		used:     make(map[ssa.CallInstruction]*uses),
		readers:  make(map[*ssa.Function]map[*ssa.Function]bool),
		reaches:  make(map[*ssa.Function][]contexts.Carrier),
		spoken:   make(map[token.Pos]bool),
		answered: make(map[token.Pos]bool),
		kept:     make(map[*types.Var]Wait),
		takes:    make(map[*ssa.Function][]taken),
		giving:   make(map[*ssa.Function][]gift),
		asking:   make(map[*ssa.Function]bool),
		over:     make(map[exits]ssa.Value),
		calls:    callExprs(pass),
	}
	r.impls = findImplementers(pass)
	r.flow = newFlow(r)
	r.index()
	r.ops = channels.Of(pass)
	r.conns = newConns(r)
	r.ended = newReleased(r)
	r.summarise()
	r.deaf = newDeaf(r, r.ops)
	r.deaf.feed()
	r.judge()
	r.export()
	pass.ExportPackageFact(new(analysed))
	return r, nil
}

// callExprs indexes the package's calls by the position that SSA keeps of them.
func callExprs(pass *analysis.Pass) map[token.Pos]*ast.CallExpr {
	out := make(map[token.Pos]*ast.CallExpr)
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				out[c.Lparen] = c
			}
			return true
		})
	}
	return out
}

// index notes who calls whom in the package, test files left out.
func (r *Result) index() {
	for _, fn := range r.ir.Funcs {
		r.sums[fn] = new(summary)
		if r.ir.InTest(fn) {
			continue
		}
		for c := range ssawalk.Calls(fn) {
			targets, _ := r.ctx.Targets(c.Common())
			for _, t := range targets {
				if t.Fn != nil {
					r.callers[t.Fn] = append(r.callers[t.Fn], site{fn, c})
				}
			}
			for _, f := range r.funcArgs(c.Common()) {
				r.callers[f.Fn] = append(r.callers[f.Fn], site{fn, c})
			}
		}
	}
}

// summarise goes through the functions, callees mostly before callers, and again through those whose callees have changed,
// until nothing changes.
func (r *Result) summarise() {
	order := r.calleesFirst()
	stale := make(map[*ssa.Function]bool, len(order))
	for _, fn := range order {
		stale[fn] = true
	}
	for len(stale) > 0 {
		for _, fn := range order {
			if !stale[fn] {
				continue
			}
			delete(stale, fn)
			if r.scan(fn) {
				for caller := range r.readers[fn] {
					stale[caller] = true
				}
			}
		}
	}
}

// read returns the summary of a function of this package, and notes that reader has used it.
func (r *Result) read(fn, reader *ssa.Function) *summary {
	sum := r.sums[fn]
	if sum == nil {
		return nil
	}
	if r.readers[fn] == nil {
		r.readers[fn] = make(map[*ssa.Function]bool)
	}
	r.readers[fn][reader] = true
	r.current.add(sum)
	return sum
}

// calleesFirst orders the functions so that most callees come before their callers.
func (r *Result) calleesFirst() []*ssa.Function {
	seen := make(map[*ssa.Function]bool)
	var out []*ssa.Function
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if seen[fn] || r.sums[fn] == nil {
			return
		}
		seen[fn] = true
		for _, lit := range fn.AnonFuncs {
			visit(lit)
		}
		for c := range ssawalk.Calls(fn) {
			targets, _ := r.ctx.Targets(c.Common())
			for _, t := range targets {
				if t.Fn != nil {
					visit(t.Fn)
				}
			}
		}
		out = append(out, fn)
	}
	for _, fn := range r.ir.Funcs {
		visit(fn)
	}
	return out
}
