// Package loops tells what goes round: which blocks a loop has, what ends it (a count, a collection, a clock, an attempt that
// succeeds), where a round pauses, and where it looks at a context. Functions that call each other in a ring are a loop too.
//
// A loop is what a back edge of the control flow makes, whatever the source writes: for, range, goto. Each question is
// answered from the function's own blocks, and for rings from the calls of the package whose callee is certain; nothing is
// iterated to a fixpoint, since dominance and reachability are final.
//
// It does not know loops that goto enters in the middle, rings that pass through interfaces or function values that cannot be
// told, nor whether a callee listens: that is asked of package summaries.
package loops

import (
	"go/token"
	"reflect"
	"sort"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/policy"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/ir"
	"github.com/doneby/doneby/passes/settings"
)

// Analyzer finds loops.
var Analyzer = &analysis.Analyzer{
	Name:       "loops",
	Doc:        "find what goes round, what ends it and where it pauses",
	Run:        policy.Pass(run),
	Requires:   []*analysis.Analyzer{settings.Analyzer, ir.Analyzer, contexts.Analyzer, channels.Analyzer}, // the last for its turn with contexts
	ResultType: reflect.TypeFor[*Result](),
}

// Result answers for one package, function by function, when it is asked.
type Result struct {
	policy.Mark
	ctx   *contexts.Result
	loops map[*ssa.Function][]*Loop
	calls map[*ssa.Function][]Step
}

// Of returns the result for the package of the pass.
func Of(pass *analysis.Pass) *Result { return pass.ResultOf[Analyzer].(*Result) }

func run(pass *analysis.Pass) (*Result, error) {
	return &Result{ctx: contexts.Of(pass), loops: make(map[*ssa.Function][]*Loop), calls: make(map[*ssa.Function][]Step)}, nil
}

// Loop is a loop, or a function of a ring of calls, all of which is then a round.
type Loop struct {
	Fn     *ssa.Function
	Head   *ssa.BasicBlock // nil for a ring
	Steps  []Step          // of a ring: the calls by which it goes round, the first of them in Fn
	blocks map[*ssa.BasicBlock]bool
}

// Has reports whether a block is part of each round, or may be.
func (l *Loop) Has(b *ssa.BasicBlock) bool { return l.blocks[b] }

// Size returns how many blocks the loop has.
func (l *Loop) Size() int { return len(l.blocks) }

// Blocks returns the blocks in the order of the function.
func (l *Loop) Blocks() []*ssa.BasicBlock {
	out := make([]*ssa.BasicBlock, 0, len(l.blocks))
	for _, b := range l.Fn.Blocks {
		if l.blocks[b] {
			out = append(out, b)
		}
	}
	return out
}

// Ring reports whether it is functions that call each other rather than a loop of one.
func (l *Loop) Ring() bool { return l.Head == nil }

// In returns the loops of a function, the inner before the outer.
func (r *Result) In(fn *ssa.Function) []*Loop {
	if ls, ok := r.loops[fn]; ok {
		return ls
	}
	ls := natural(fn)
	r.loops[fn] = ls
	return ls
}

// Around returns the innermost loop in which an instruction lies; where there is none, the ring that goes round through it:
// after it, the function calls what may call the function again. Nil when it runs once.
func (r *Result) Around(in ssa.Instruction) *Loop {
	for _, l := range r.In(in.Parent()) {
		if l.Has(in.Block()) {
			return l
		}
	}
	return r.ring(in)
}

// natural finds the loops of the back edges: those to a block that dominates the one they leave.
func natural(fn *ssa.Function) []*Loop {
	byHead := make(map[*ssa.BasicBlock]*Loop)
	var out []*Loop
	for _, b := range fn.Blocks {
		for _, h := range b.Succs {
			if !h.Dominates(b) {
				continue
			}
			l := byHead[h]
			if l == nil {
				l = &Loop{Fn: fn, Head: h, blocks: map[*ssa.BasicBlock]bool{h: true}}
				byHead[h] = l
				out = append(out, l)
			}
			l.grow(b)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return len(out[i].blocks) < len(out[j].blocks) })
	return out
}

// grow adds what leads to b without passing the head.
func (l *Loop) grow(b *ssa.BasicBlock) {
	if l.blocks[b] {
		return
	}
	l.blocks[b] = true
	for _, p := range b.Preds {
		l.grow(p)
	}
}

// follows reports whether b may run after a.
func follows(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		for _, in := range a.Block().Instrs {
			switch in {
			case a:
				return true
			case b:
				return false
			}
		}
	}
	return ssawalk.Reaches(a.Block(), b.Block())
}

// NilTest returns the error that a condition compares with nil, and whether the condition holds when it is nil.
func NilTest(cond ssa.Value) (err ssa.Value, whenNil bool) {
	bin, ok := cond.(*ssa.BinOp)
	if !ok || bin.Op != token.EQL && bin.Op != token.NEQ {
		return nil, false
	}
	x, y := bin.X, bin.Y
	if ssawalk.IsNil(x) {
		x, y = y, x
	}
	if !ssawalk.IsNil(y) {
		return nil, false
	}
	return x, bin.Op == token.EQL
}
