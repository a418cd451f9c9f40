// Package wires knows which deadlines get from one machine to the next, and which are lost on the way: a request or a message that
// goes out without the time that its context leaves, one that comes in and says until when, which nobody reads or applies, and
// instants of one machine's clock that another takes for a deadline.
//
// A name says that a value is a deadline: a header, a parameter, a field (words.go). What goes out is judged where others carry
// the deadline: a function *carries* when it sets such a header from something that is no constant, sends by a client whose
// transport carries, or calls what carries. Base case: the header is set; step: calls, in this package and, by a fact, in others;
// the set only grows, so it is the least fixpoint. What comes in is followed forward from where it is taken off the wire, through
// conversions, variables, closures and own functions: a use that does not surely leave the value without effect counts as one.
//
// It does not know what reflection, an encoder or an interface does with a whole message, and takes it to look; nor what other
// packages do with one that is kept, sent on or returned. gRPC and connect carry the deadline of a context by themselves.
package wires

import (
	"go/token"
	"go/types"
	"reflect"
	"sort"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/budgets"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/entrypoints"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer finds deadlines that are lost between machines.
var Analyzer = &analysis.Analyzer{
	Name:       "wires",
	Doc:        "find deadlines that are lost between machines",
	Run:        policy.Pass(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, durations.Analyzer, entrypoints.Analyzer, contexts.Analyzer, budgets.Analyzer}, // the last for its turn with contexts
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(carries)},
}

// carries is the fact of an exported function whose requests carry the deadline of their context.
type carries struct{}

func (*carries) AFact()         {}
func (*carries) String() string { return "carries the deadline" }

// runtimePackage is the import path of the runtime package.
const runtimePackage = "github.com/doneby/doneby/deadline"

// Loss is a deadline that does not get across.
type Loss struct {
	Kind string    // of rule lostdeadline
	Pos  token.Pos // the call that is wrong, as SSA keeps its position
	Name string    // what should carry the deadline, as a message says it: header X-Deadline-Ms, field Expiry of Request
	Call string    // what goes without it
	Ctx  string    // the context whose deadline it is, as a reader would type it
	Also []Place
}

// Place is where something else of a loss stands.
type Place struct {
	Pos  token.Pos
	Text string
}

// Result lists the losses of one package.
type Result struct {
	policy.Mark
	losses  []Loss
	adopted bool
}

// Losses returns the deadlines that are lost, in source order, one for each call. None is of a test.
func (r *Result) Losses() []Loss { return r.losses }

// Adopted reports whether the package imports the runtime package: it means its deadlines to travel.
func (r *Result) Adopted() bool { return r.adopted }

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

func run(pass *analysis.Pass) (*Result, error) {
	code := ir.Of(pass)
	if code.Pkg == nil {
		return new(Result), nil // not own
	}
	p := newProgram(pass, code)
	p.spread()
	p.export()
	out := new(Result)
	for _, imp := range ir.Imports(pass) {
		out.adopted = out.adopted || imp.Path() == runtimePackage
	}
	if p.entries.TestHelper() || p.entries.CommandLine() {
		return out, nil // what a test or a person at a terminal sends has nobody's deadline
	}
	p.knows = out.adopted || len(p.carrying) > 0
	for _, fn := range p.funcs {
		out.losses = append(out.losses, p.requests(fn)...)
		out.losses = append(out.losses, p.messagesAsked(fn)...)
		out.losses = append(out.losses, p.headersSet(fn)...)
		out.losses = append(out.losses, p.messagesOut(fn)...)
		out.losses = append(out.losses, p.messagesIn(fn)...)
		out.losses = append(out.losses, p.instants(fn)...)
	}
	out.losses = append(out.losses, p.headersRead()...)
	out.losses = inOrder(out.losses)
	return out, nil
}

// inOrder sorts losses by place and keeps the first at each.
func inOrder(losses []Loss) []Loss {
	sort.SliceStable(losses, func(i, j int) bool { return losses[i].Pos < losses[j].Pos })
	var out []Loss
	for _, l := range losses {
		if len(out) == 0 || out[len(out)-1].Pos != l.Pos {
			out = append(out, l)
		}
	}
	return out
}

// program is the package that is looked at.
type program struct {
	pass     *analysis.Pass
	code     *ir.Result
	ctx      *contexts.Result
	lengths  *durations.Result
	entries  *entrypoints.Result
	funcs    []*ssa.Function // those of the source that are in no test
	carrying map[*ssa.Function]bool
	knows    bool                       // that deadlines travel: it carries some, or imports the runtime package
	fields   map[*types.Var][]ssa.Value // all that is stored to a field
	globals  map[*ssa.Global][]ssa.Value
	reads    map[*types.Var][]ssa.Value // the places where a field is read, or its address taken
}

func newProgram(pass *analysis.Pass, code *ir.Result) *program {
	p := &program{
		pass: pass, code: code, ctx: contexts.Of(pass), lengths: durations.Of(pass), entries: entrypoints.Of(pass),
		carrying: map[*ssa.Function]bool{}, fields: map[*types.Var][]ssa.Value{}, globals: map[*ssa.Global][]ssa.Value{}, reads: map[*types.Var][]ssa.Value{},
	}
	for _, fn := range code.Funcs {
		if !code.InTest(fn) {
			p.funcs = append(p.funcs, fn)
			p.index(fn)
		}
	}
	if init := code.Pkg.Func("init"); init != nil {
		p.index(init)
	}
	return p
}

// index notes what a function stores to fields and package variables, and which fields it reads.
func (p *program) index(fn *ssa.Function) {
	for in := range ssawalk.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Store:
			if g, ok := in.Addr.(*ssa.Global); ok {
				p.globals[g] = append(p.globals[g], in.Val)
			} else if f, _ := ssawalk.Field(in.Addr); f != nil {
				p.fields[f] = append(p.fields[f], in.Val)
			}
		case *ssa.FieldAddr:
			if f, _ := ssawalk.Field(in); f != nil && !onlyStored(in) {
				p.reads[f] = append(p.reads[f], in)
			}
		case *ssa.Field:
			if f, _ := ssawalk.Field(in); f != nil {
				p.reads[f] = append(p.reads[f], in)
			}
		}
	}
}

// onlyStored reports whether the address of a field serves to store there and for nothing else.
func onlyStored(addr *ssa.FieldAddr) bool {
	for _, ref := range *addr.Referrers() {
		if st, ok := ref.(*ssa.Store); !ok || st.Addr != addr {
			return false
		}
	}
	return true
}

// target returns the one function that a call runs, and its name in the tables; the zero Target when that cannot be told.
func (p *program) target(c ssa.CallInstruction) (contexts.Target, string) {
	targets, all := p.ctx.Targets(c.Common())
	if !all || len(targets) != 1 {
		return contexts.Target{}, ""
	}
	return targets[0], p.ctx.Name(targets[0].Obj)
}

// reach returns the nearest context in reach of fn as a reader would type it, or "".
func (p *program) reach(fn *ssa.Function) string {
	if all := p.ctx.Reach(fn); len(all) > 0 {
		return all[0].Expr
	}
	return ""
}
