package summaries

import (
	"iter"

	"golang.org/x/tools/go/ssa"

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
