package summaries

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/loops"
)

// reached returns the instructions that goal is true of and that control may come to after an instruction, past none that stop is true of,
// by the branches that take lets pass.
func reached(from ssa.Instruction, goal, stop func(ssa.Instruction) bool, take func(from, to *ssa.BasicBlock) bool) []ssa.Instruction {
	var out []ssa.Instruction
	seen := make(map[*ssa.BasicBlock]bool)
	var visit func(b *ssa.BasicBlock, i int)
	visit = func(b *ssa.BasicBlock, i int) {
		for _, in := range b.Instrs[i:] {
			if stop(in) {
				return
			}
			if goal(in) {
				out = append(out, in)
				return
			}
		}
		for _, s := range b.Succs {
			if !seen[s] && take(b, s) {
				seen[s] = true
				visit(s, 0)
			}
		}
	}
	visit(from.Block(), indexIn(from.Block(), from))
	return out
}

// anyWay lets each branch pass.
func anyWay(_, _ *ssa.BasicBlock) bool { return true }

// earliest returns the first of some instructions in the source, nil of none.
func earliest(all []ssa.Instruction) ssa.Instruction {
	if len(all) == 0 {
		return nil
	}
	return slices.MinFunc(all, func(a, b ssa.Instruction) int { return cmp.Compare(a.Pos(), b.Pos()) })
}

func isReturn(in ssa.Instruction) bool {
	_, ok := in.(*ssa.Return)
	return ok
}

// onFailure reports whether the branch from one block to another is taken only when an error is not nil.
func onFailure(from, to *ssa.BasicBlock) bool {
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return false
	}
	cond, taken := loops.Plain(branch.Cond, from.Succs[0] == to)
	err, whenNil := loops.NilTest(cond)
	return err != nil && typeset.IsError(err.Type()) && taken != whenNil
}
