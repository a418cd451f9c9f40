package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// stays reports whether a runner receives from a channel in a loop that it leaves only when its own state says so, which it
// changes when it receives: it counts what is to come, and does not leave before. Whether it counts right cannot be told.
func (d *deaf) stays(p runner, c *channels.Chan) bool {
	for _, op := range c.Ops {
		if op.Fn != p.fn || op.Kind != channels.Receive {
			continue
		}
		arm := op.Instr
		if sel, ok := op.Instr.(*ssa.Select); ok {
			arm = caseStart(sel, op.On)
		}
		if l := channels.LoopOf(op.Instr.Block()); l != nil && arm != nil && newTally(l, arm).leaves() && d.ends(p, c) {
			return true
		}
	}
	return false
}

// tally is the state of a loop that changes when it receives from a channel.
type tally struct {
	l    *channels.Loop
	arm  *ssa.BasicBlock // where what was received is seen to
	seen map[ssa.Value]bool
}

func newTally(l *channels.Loop, arm ssa.Instruction) *tally {
	return &tally{l: l, arm: arm.Block()}
}

// leaves reports whether each way out of the loop asks the tally.
func (t *tally) leaves() bool {
	found := false
	for b := range t.l.Blocks {
		for _, s := range b.Succs {
			if t.l.Blocks[s] || channels.Panics(s) {
				continue
			}
			if !t.asked(b) {
				return false
			}
			found = true
		}
	}
	return found
}

// asked reports whether control leaves the loop from b only by a branch on the tally. That the header asks it before each round says
// nothing of a way out in the midst of one.
func (t *tally) asked(b *ssa.BasicBlock) bool {
	for from := b; b != nil && t.l.Blocks[b] && (b == from || b != t.l.Header); b = b.Idom() {
		if cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			t.seen = make(map[ssa.Value]bool)
			if t.counts(cond.Cond) {
				return true
			}
		}
		if len(b.Preds) != 1 {
			return false
		}
	}
	return false
}

// counts reports whether a value depends on what the arm changes.
func (t *tally) counts(v ssa.Value) bool {
	if t.seen[v] {
		return false
	}
	t.seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if in, ok := e.(ssa.Instruction); ok && t.l.Blocks[in.Block()] && t.arm.Dominates(in.Block()) || t.counts(e) {
				return true
			}
		}
	case *ssa.BinOp:
		return t.counts(v.X) || t.counts(v.Y)
	case *ssa.UnOp:
		return v.Op == token.MUL && t.changed(v.X) || v.Op != token.ARROW && t.counts(v.X)
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			return t.changed(v.Call.Args[0]) || t.counts(v.Call.Args[0])
		}
	}
	return false
}

// changed reports whether the arm stores to a variable or field, or takes something out of a map.
func (t *tally) changed(of ssa.Value) bool {
	for b := range t.l.Blocks {
		if !t.arm.Dominates(b) {
			continue
		}
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if in.Addr == of || sameField(in.Addr, of) {
					return true
				}
			case *ssa.Call:
				if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" && same(in.Call.Args[0], of) {
					return true
				}
			}
		}
	}
	return false
}

// same reports whether two values are the same, or read from the same variable or field.
func same(a, b ssa.Value) bool {
	return a == b || sized(a) == sized(b) || sameField(a, b) || ssawalk.Source(a) == ssawalk.Source(b)
}
