package ssawalk

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Arm returns the block to which a select goes on for one of its states, or nil.
func Arm(sel *ssa.Select, state int) *ssa.BasicBlock {
	for _, ref := range *sel.Referrers() {
		x, ok := ref.(*ssa.Extract)
		if !ok || x.Index != 0 {
			continue
		}
		for _, use := range *x.Referrers() {
			eq, ok := use.(*ssa.BinOp)
			if !ok || eq.Op != token.EQL {
				continue
			}
			if c, ok := eq.Y.(*ssa.Const); !ok || int(c.Int64()) != state {
				continue
			}
			if in, ok := eq.Block().Instrs[len(eq.Block().Instrs)-1].(*ssa.If); ok && in.Cond == eq {
				return eq.Block().Succs[0]
			}
		}
	}
	return nil
}
