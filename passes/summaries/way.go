package summaries

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/loops"
)

// way is the way from a failed attempt back to the next, in a loop.
type way struct {
	r    *Result
	l    *loops.Loop
	call *ssa.Call // the attempt
	err  ssa.Value // its error, nil when nobody looks at it
	kept ssa.Value // the captured variable in which a body of a range keeps it, or nil
	seen map[*ssa.BasicBlock]bool

	to ssa.Instruction // where it leads; nil for the attempt again

	pauses bool // a pause on the way, or another wait, only makes it longer
	loose  bool // what is handed a context and answers nothing that is asked does not end the loop
}

// round reports whether control can come from the failed attempt to the next without asking whether a context is over,
// without waiting for anything else, and without anybody having a look at the error who may know.
func (w *way) round() bool {
	b := w.call.Block()
	after := false
	for _, in := range b.Instrs {
		if in == ssa.Instruction(w.call) {
			after = true
			continue
		}
		if after && w.to != nil && in == w.to {
			return true
		}
		if after && w.stops(in) {
			return false
		}
	}
	return w.next(b)
}

// arrives reports whether an instruction is the one that the way leads to.
func (w *way) arrives(in ssa.Instruction) bool {
	if w.to != nil {
		return in == w.to
	}
	return in == ssa.Instruction(w.call)
}

// next goes on from the end of a block.
func (w *way) next(b *ssa.BasicBlock) bool {
	for _, s := range w.succs(b) {
		if w.visit(s) {
			return true
		}
	}
	return false
}

func (w *way) visit(b *ssa.BasicBlock) bool {
	if !w.l.Has(b) || w.seen[b] {
		return false
	}
	w.seen[b] = true
	for _, in := range b.Instrs {
		if w.arrives(in) {
			return true
		}
		if w.stops(in) {
			return false
		}
	}
	return w.next(b)
}

// passes returns all blocks of the loop through which control may come from the failed attempt to the next, whatever stops it there.
func (w *way) passes() []*ssa.BasicBlock {
	var out []*ssa.BasicBlock
	seen := make(map[*ssa.BasicBlock]bool)
	var from func(b *ssa.BasicBlock)
	from = func(b *ssa.BasicBlock) {
		if seen[b] || !w.l.Has(b) {
			return
		}
		seen[b] = true
		out = append(out, b)
		for _, s := range w.succs(b) {
			from(s)
		}
	}
	from(w.call.Block())
	return out
}

// succs returns where control may go from a block when the attempt has failed since its context is over.
func (w *way) succs(b *ssa.BasicBlock) []*ssa.BasicBlock {
	in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || w.err == nil {
		return b.Succs
	}
	cond, yes := loops.Plain(in.Cond, true)
	if c, ok := cond.(*ssa.Call); ok {
		if a, ok := w.answerOf(c); ok && a.yes != a.no {
			return one(b, a.yes == yes)
		}
	}
	switch x, whenNil := loops.NilTest(cond); {
	case x != nil && w.is(x):
		return one(b, whenNil != yes)
	case x != nil && beside(x, w.err):
		return one(b, whenNil == yes) // what comes beside an error is nil
	}
	if isEndError(cond) && w.about(cond) {
		return one(b, yes)
	}
	if bin, ok := cond.(*ssa.BinOp); ok && w.about(cond) && (bin.Op == token.EQL || bin.Op == token.NEQ) {
		return one(b, (bin.Op == token.NEQ) == yes) // some other error: it is not that one
	}
	return b.Succs
}

// beside reports whether two values are results of the same call.
func beside(a, b ssa.Value) bool {
	x, ok := a.(*ssa.Extract)
	y, ok2 := b.(*ssa.Extract)
	return ok && ok2 && x.Tuple == y.Tuple
}

func one(b *ssa.BasicBlock, first bool) []*ssa.BasicBlock {
	if first {
		return b.Succs[:1]
	}
	return b.Succs[1:]
}

// is reports whether a value is the attempt's error, be it read again from the variable in which it is kept.
func (w *way) is(v ssa.Value) bool {
	if v == w.err {
		return true
	}
	load, ok := v.(*ssa.UnOp)
	if !ok || w.kept == nil || load.X != w.kept {
		return false
	}
	for _, ref := range *w.kept.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Val != w.err && ssawalk.MayFollow(w.call, st) && ssawalk.MayFollow(st, load) {
			return false // it may be another by now
		}
	}
	return ssawalk.Before(w.call, load)
}

// about reports whether a value is made from the attempt's error.
func (w *way) about(v ssa.Value) bool {
	in, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	var ops [8]*ssa.Value
	for _, op := range in.Operands(ops[:0]) {
		if *op != nil && w.is(*op) {
			return true
		}
	}
	return false
}

// stops reports whether an instruction on the way may end the loop when the context is over, or waits for something else.
func (w *way) stops(in ssa.Instruction) bool {
	switch {
	case w.pauses && isPause(in):
		return false // whether what else it lists is a context's is asked of the loop
	case loops.Looks(in), w.pauses && w.err != nil && w.asksWhy(in):
		return true
	}
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case *ssa.Select:
		return in.Blocking || !w.pauses
	case *ssa.Send, *ssa.Panic:
		return true
	case *ssa.Phi:
		return w.err != nil && w.about(in) && !(w.pauses && w.onlyKept(in, 0)) // kept for later: who knows
	case *ssa.Store:
		return in.Val == w.err && w.err != nil && !varargs(in) && (w.kept == nil || in.Addr != w.kept)
	case *ssa.Call:
		return w.stopsCall(in)
	}
	return false
}

// stopsCall reports whether a call other than the attempt may know that the context is over, or waits.
func (w *way) stopsCall(c *ssa.Call) bool {
	if isEndError(c) || w.r.derives(c) {
		return false // its answer is followed; the next attempt's context is made, and nothing asked
	}
	results := c.Call.Signature().Results().Len() > 0
	if w.loose && (!results || !heeded(c) || typeset.IsContext(c.Type())) {
		return false // nobody asks what it says; it wraps a context
	}
	_, answered := w.answerOf(c)
	for _, a := range c.Call.Args {
		tells := w.is(a) && w.err != nil && !answered || typeset.ImplementsContext(a.Type()) || typeset.IsRequest(a.Type())
		if tells && results && !isText(c) && !wraps(c) {
			return true // it has been given what tells
		}
		if _, isFunc := a.Type().Underlying().(*types.Signature); isFunc {
			return true // who knows what it runs
		}
	}
	if w.pauses {
		return false
	}
	for _, e := range w.r.effects(c.Parent(), c) {
		if e.End != ByParam || e.Pause {
			return true // it waits for something else
		}
	}
	return w.r.pausesBelow(c) || hearsBelow(c)
}

// heeded reports whether anybody looks at what a call gives.
func heeded(c *ssa.Call) bool {
	for _, ref := range *c.Referrers() {
		if _, debug := ref.(*ssa.DebugRef); !debug {
			return true
		}
	}
	return false
}

// asksWhy reports whether an instruction looks at more of the attempt's error than whether there is one: its type, its text.
func (w *way) asksWhy(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.TypeAssert:
		return w.is(in.X)
	case *ssa.Call:
		if !in.Call.IsInvoke() || !w.is(in.Call.Value) || in.Call.Method.Name() != "Error" {
			return false
		}
		for _, ref := range *in.Referrers() {
			switch ref := ref.(type) {
			case *ssa.BinOp:
				return true
			case *ssa.Call:
				if fn := ref.Call.StaticCallee(); fn != nil && fn.Pkg != nil && (fn.Pkg.Pkg.Path() == "strings" || fn.Pkg.Pkg.Path() == "regexp") {
					return true
				}
			}
		}
	}
	return false
}

// wraps reports whether a call only makes an error of an error.
func wraps(c *ssa.Call) bool { return calledIs(c, "fmt.Errorf") || calledIs(c, "errors.Join") }

// varargs reports whether a store puts an argument into the list of a variadic call, to print it.
func varargs(st *ssa.Store) bool {
	_, ok := st.Addr.(*ssa.IndexAddr)
	return ok
}

// beginsWith reports whether a function's name begins with a word: readAll and Read, not ready.
func beginsWith(name, word string) bool {
	if len(name) < len(word) || !strings.EqualFold(name[:len(word)], word) {
		return false
	}
	rest := name[len(word):]
	return rest == "" || rest[0] < 'a' || rest[0] > 'z'
}
