package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/passes/channels"
)

// leavesEarly returns a return by which the one function that receives leaves its loop although more may be sent; nil when there is none.
//
//	names := make(chan string)
//	go list(names) // names <- name, in a loop
//	for name := range names {
//		if err := look(name); err != nil {
//			return err
//		}
//	}
func (u *unheard) leavesEarly() ssa.Instruction {
	home := u.home()
	if home == nil || channels.LoopOf(u.wait.Instr.Block()) == nil && channels.LoopOf(u.start.from.Block()) == nil {
		return nil // others receive; one send
	}
	var left []ssa.Instruction
	for _, op := range u.ch.Ops {
		rec, ok := op.Instr.(*ssa.UnOp)
		if !ok || op.Kind != channels.Receive && op.Kind != channels.Range {
			continue
		}
		l := channels.LoopOf(rec.Block())
		if l == nil {
			return nil // it may take the rest
		}
		again := func(from, to *ssa.BasicBlock) bool { return to != l.Header && !saysClosedTo(from, to, rec) }
		left = append(left, reached(after(rec), isReturn, u.comes(), again)...)
	}
	return earliest(left)
}

// saysClosedTo reports whether an edge is taken only when a receive found its channel closed.
func saysClosedTo(from, to *ssa.BasicBlock, rec *ssa.UnOp) bool {
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || !rec.CommaOk || from.Succs[1] != to {
		return false
	}
	x, ok := branch.Cond.(*ssa.Extract)
	return ok && x.Tuple == ssa.Value(rec) && x.Index == 1
}
