package summaries

import (
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/loops"
)

// conditions goes through the branches that surely led to b, the nearest first: what each asked, without its negations, and what the answer
// was.
func conditions(b *ssa.BasicBlock) iter.Seq2[ssa.Value, bool] {
	return func(yield func(ssa.Value, bool) bool) {
		for ; b != nil; b = b.Idom() {
			if len(b.Preds) != 1 {
				continue // reached in several ways: what dominates them all is asked next
			}
			from := b.Preds[0]
			branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
			if ok && !yield(loops.Plain(branch.Cond, from.Succs[0] == b)) {
				return
			}
		}
	}
}

// answersAlike reports whether a branch may be taken after a block: what was asked before that gets the same answer.
func answersAlike(at, from, to *ssa.BasicBlock) bool {
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return true
	}
	cond, taken := loops.Plain(branch.Cond, from.Succs[0] == to)
	for before, answer := range conditions(at) {
		if sameQuestion(before, cond) && !asksAnew(at, cond) {
			return answer == taken
		}
	}
	return true
}

// asksAnew reports whether a condition is about what is computed again after a block: the count of a loop, what a call answers.
func asksAnew(at *ssa.BasicBlock, v ssa.Value) bool {
	if bin, ok := v.(*ssa.BinOp); ok {
		return asksAnew(at, bin.X) || asksAnew(at, bin.Y)
	}
	in, ok := v.(ssa.Instruction)
	if _, load := v.(*ssa.UnOp); !ok || load {
		return false
	}
	return ssawalk.Reaches(at, in.Block())
}

// sameQuestion reports whether two conditions are one: the same value, or the same comparison of the same values.
func sameQuestion(x, y ssa.Value) bool {
	if sameValue(x, y) {
		return true
	}
	a, ok := x.(*ssa.BinOp)
	if !ok {
		return false
	}
	b, ok := y.(*ssa.BinOp)
	return ok && a.Op == b.Op && (sameOperand(a.X, b.X) || sameValue(a.X, b.X)) && (sameOperand(a.Y, b.Y) || sameValue(a.Y, b.Y))
}

// skipsLoop reports whether a branch leads past a loop in which something is used: into none of its rounds.
func skipsLoop(from, to *ssa.BasicBlock, used func(ssa.Instruction) bool) bool {
	for _, round := range from.Succs {
		l := channels.LoopOf(round)
		if l == nil || l.Blocks[to] || from != l.Header && (round != l.Header || l.Blocks[from]) {
			continue
		}
		for b := range l.Blocks {
			if slices.ContainsFunc(b.Instrs, used) {
				return true
			}
		}
	}
	return false
}
