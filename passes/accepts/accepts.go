// Package accepts follows the connections and streams that a package accepts in a loop to where they are read, and tells
// which of them are read without a deadline.
//
// A connection is followed forwards: through variables, captured ones, fields (to all loads in the package), parameters of
// functions of this package, and into what is made from it, such as a buffered reader. Each function is gone through once a
// connection, so the walk ends. Where it goes out of sight (a channel, another package, a result) it is unknown from there on, and
// what is read before is not; every connection of a package that ever sets a deadline on one, and does not clear it in the same function,
// is unknown: who is bounded by whom is then a matter of state.
//
// It does not know what a protocol means to wait for: a peer that may be silent for days looks like one that is gone.
package accepts

import (
	"go/token"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/servers"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer follows accepted connections.
var Analyzer = &analysis.Analyzer{
	Name:       "accepts",
	Doc:        "find accepted connections that are read without a deadline",
	Run:        policy.Pass(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, contexts.Analyzer, servers.Analyzer}, // the last for its turn with contexts
	ResultType: reflect.TypeFor[*Result](),
}

// Bare is a call whose connections are read, or shake hands, without a deadline.
type Bare struct {
	Call   ssa.CallInstruction // accepts, or shakes hands
	Name   string              // of what is called
	Stream bool                // it accepts streams of a connection
	Shakes bool                // it shakes hands
	Read   token.Pos           // where a connection is read; no position for a handshake
	Reader string              // what reads it
	In     map[*ssa.Function]bool
}

// Result lists the bare connections of one package.
type Result struct {
	policy.Mark
	bare []Bare
}

// Bare returns the calls in the order of the source.
func (r *Result) Bare() []Bare { return r.bare }

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

func run(pass *analysis.Pass) (*Result, error) {
	code := ir.Of(pass)
	if code.Pkg == nil {
		return new(Result), nil // not own
	}
	p := &program{ir: code, ctx: contexts.Of(pass), brief: map[*ssa.Function]bool{}}
	if p.setsDeadlines() {
		return new(Result), nil
	}
	out := new(Result)
	for _, fn := range code.Funcs {
		if code.InTest(fn) {
			continue
		}
		for call := range ssawalk.Calls(fn) {
			if b, ok := p.look(call); ok {
				out.bare = append(out.bare, b)
			}
		}
	}
	return out, nil
}

// program is the package that is looked at.
type program struct {
	ir    *ir.Result
	ctx   *contexts.Result
	brief map[*ssa.Function]bool // see setsDeadlines
}

// row returns the only function that a call runs, and what the tables say of it.
func (p *program) row(c *ssa.CallCommon) (contexts.Target, knowledge.Row, bool) {
	targets, _ := p.ctx.Targets(c)
	if len(targets) != 1 {
		return contexts.Target{}, knowledge.Row{}, false
	}
	row, ok := p.ctx.Row(targets[0].Obj)
	return targets[0], row, ok
}

// dialled reports whether v is surely a connection that this package dials.
func (p *program) dialled(v ssa.Value) bool {
	from, sure := p.ctx.Conns(v)
	for _, c := range from {
		sure = sure && p.ctx.Dialled(c)
	}
	return sure
}

func called(call ssa.CallInstruction) string {
	if f := ssawalk.Callee(call); f != nil {
		return f.Name()
	}
	return ""
}

// look tells whether a call accepts connections that are read without a deadline, or shakes hands on one.
func (p *program) look(call ssa.CallInstruction) (Bare, bool) {
	t, row, ok := p.row(call.Common())
	if !ok || row.Verb != knowledge.Waits {
		return Bare{}, false
	}
	b := Bare{Call: call, Name: contexts.DisplayName(t.Obj), In: map[*ssa.Function]bool{}}
	if t.Obj.FullName() == "golang.org/x/crypto/ssh.NewServerConn" {
		b.Shakes = true
		return b, len(p.brief) == 0 // whatever the connection is: nobody here sets a deadline on any
	}
	v, ok := call.(*ssa.Call)
	if !ok || !row.Meant || !readable(t) || !ssawalk.Reaches(call.Block(), call.Block()) {
		return Bare{}, false
	}
	b.Stream = t.Obj.Name() == "AcceptStream" || t.Obj.Name() == "AcceptUniStream"
	f := &following{p: p, seen: map[ssa.Value]bool{}, in: b.In, accept: v, entries: map[*ssa.Function][]ssa.Instruction{}, sure: true}
	f.uses(v)
	read := f.first()
	if !f.sure || read == nil {
		return Bare{}, false
	}
	b.Read, b.Reader = read.Common().Pos(), contexts.CalledName(f.reader(read))
	return b, true
}

// readable reports whether the call's first result can be read under a deadline.
func readable(t contexts.Target) bool {
	return t.Sig.Results().Len() > 0 && contexts.IsConn(t.Sig.Results().At(0).Type())
}
