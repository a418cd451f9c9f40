package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/loops"
)

// Sort says why a wait for another goroutine is of a kind of its own: what would have to be known to call it a defect is rarely
// told by the code in sight. It is the name of the kind.
type Sort string

const (
	conds    Sort = "cond"     // for a condition variable, which no select can list
	buffers  Sort = "buffered" // for room in a buffer: how many sends it has to take is not told
	foreigns Sort = "foreign"  // on a channel that comes from out of sight: neither its room nor who has its other end
	served   Sort = "served"   // for a receiver that never leaves: it may be late, and is not gone
)

func (s Sort) apart() bool { return s == conds || s == buffers || s == foreigns || s == served }

// sort returns the sort of a wait, "" for one that is of none.
func (d *deaf) sort(w *channels.Wait) Sort {
	switch {
	case w.Kind == channels.Cond && asksOwn(w.Instr):
		return "" // who asks the context before the wait thinks that its end is heard in it
	case w.Kind == channels.Cond:
		return conds
	case buffered(w) && heardElsewhere(w):
		return "" // whoever wrote the other send knows that the buffer may be full and the reader gone
	case buffered(w) && d.streams(w):
		return "" // more may come than any buffer has room for
	case buffered(w):
		return buffers
	case d.foreign(w):
		return foreigns
	case w.Kind == channels.Send && d.isServed(w):
		return served
	}
	return ""
}

// orphanKind returns the kind of orphan for a goroutine that stays in a wait of a sort.
func orphanKind(s Sort) string {
	if s == buffers || s == foreigns {
		return string(s)
	}
	return "wait"
}

// buffered reports whether a send goes to a channel that is made with a buffer.
func buffered(w *channels.Wait) bool {
	if w.Kind != channels.Send {
		return false
	}
	c := w.On().Chan
	return c != nil && len(c.Makes) > 0 && c.Room() != 0
}

// heardElsewhere reports whether a send is repeated, so that the buffer may be full, and another to the same channel is a case beside the
// Done of a context.
func heardElsewhere(w *channels.Wait) bool {
	c := w.On().Chan
	if c == nil || channels.LoopOf(w.Instr.Block()) == nil {
		return false
	}
	for _, op := range c.Ops {
		sel, ok := op.Instr.(*ssa.Select)
		if op.Kind == channels.Send && ok && hearsDone(sel) {
			return true
		}
	}
	return false
}

func hearsDone(sel *ssa.Select) bool {
	for _, s := range sel.States {
		if loops.IsDone(s.Chan) {
			return true
		}
	}
	return false
}

// foreign reports whether a send, receive or range is on a channel that a call out of sight gives, or a field of a struct of
// another package, or that comes out of an interface, or is handed in by the library of its elements: a queue without end, a set that is gone through, the end of a session. A
// timer is known.
func (d *deaf) foreign(w *channels.Wait) bool {
	op := w.On()
	if op == nil || op.Chan != nil && len(op.Chan.Makes) > 0 || loops.IsTimer(op.On.Type()) {
		return false // a select lists more; it is made here
	}
	switch v := ssawalk.Source(op.On).(type) {
	case *ssa.TypeAssert:
		return true
	case *ssa.Parameter:
		return lent(v)
	case *ssa.Extract:
		_, unboxed := v.Tuple.(*ssa.TypeAssert)
		return unboxed
	case *ssa.Call:
		targets, all := d.r.ctx.Targets(v.Common())
		for _, t := range targets {
			if t.Fn != nil && len(t.Fn.Blocks) > 0 {
				return false // of this package
			}
		}
		return !all || len(targets) > 0
	case *ssa.UnOp:
		f, _ := ssawalk.Field(v.X)
		return v.Op == token.MUL && f != nil && f.Pkg() != d.r.pass.Pkg
	}
	return false
}

// isServed reports whether what is sent is received by a loop in this package that is never left, or only where the channel is
// closed: whoever sends waits for one round of it. Whether it runs, and how long a round takes, is not asked.
func (d *deaf) isServed(w *channels.Wait) bool {
	c := w.On().Chan
	if c == nil || c.Taken {
		return false // nobody receives; others may, and may leave
	}
	found := false
	for _, op := range c.Ops {
		if op.Kind != channels.Receive && op.Kind != channels.Range {
			continue
		}
		l := channels.LoopOf(op.Instr.Block())
		if op.Fn == w.Fn || l == nil || leavesOpen(l) {
			return false
		}
		found = true
	}
	return found
}

// leavesOpen reports whether control can leave a loop where no channel was found closed.
func leavesOpen(l *channels.Loop) bool {
	for b := range l.Blocks {
		for _, s := range b.Succs {
			if !l.Blocks[s] && !channels.Panics(s) && !saysClosed(b) {
				return true
			}
		}
	}
	return false
}

// saysClosed reports whether a block, or the only way to it, ends by asking whether a receive found its channel closed.
func saysClosed(b *ssa.BasicBlock) bool {
	for range 3 {
		if in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			cond, _ := loops.Plain(in.Cond, true)
			x, ok := cond.(*ssa.Extract)
			if !ok || x.Index != 1 {
				return false
			}
			switch t := x.Tuple.(type) {
			case *ssa.UnOp:
				return t.Op == token.ARROW
			case *ssa.Select:
				return true
			}
			return false
		}
		if len(b.Preds) != 1 {
			return false
		}
		b = b.Preds[0]
	}
	return false
}
