package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/loops"
)

// ownSlot reports whether a receive gives a slot back that its function took by a send before, or the other way round.
func (d *deaf) ownSlot(w *channels.Wait, before channels.Kind) bool {
	op := w.On()
	if op.Chan == nil || op.Chan.Room() == 0 {
		return false // a handshake
	}
	if e := channels.Element(op.On); len(op.Chan.Makes) == 0 && !empty(e) {
		return false // nothing says that it has room
	}
	home := ssawalk.Outermost(w.Fn)
	for _, o := range op.Chan.Ops {
		switch {
		case o.Kind != before || ssawalk.Outermost(o.Fn) != home:
			continue
		case o.Fn == w.Fn && (ssawalk.Before(o.Instr, w.Instr) || sameGuard(o.Instr, w.Instr)), beforeLiteral(o, w.Fn):
			return true
		}
	}
	return false
}

// sameGuard reports whether an instruction may follow another that stands behind the same question with the same answer: where the one
// runs, so has the other.
func sameGuard(first, then ssa.Instruction) bool {
	asked, yes := guard(first.Block())
	again, yes2 := guard(then.Block())
	if asked == nil || again == nil || yes != yes2 || !ssawalk.MayFollow(first, then) {
		return false
	}
	a, ok := asked.(*ssa.BinOp)
	b, ok2 := again.(*ssa.BinOp)
	if !ok || !ok2 {
		return asked == again
	}
	return a.Op == b.Op && sameOperand(a.X, b.X) && sameOperand(a.Y, b.Y)
}

// guard returns the condition by which a block is entered, and its answer; nil when it is entered otherwise too.
func guard(b *ssa.BasicBlock) (cond ssa.Value, yes bool) {
	if len(b.Preds) != 1 {
		return nil, false
	}
	in, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
	if !ok {
		return nil, false
	}
	return loops.Plain(in.Cond, b.Preds[0].Succs[0] == b)
}

// sameOperand reports whether two values are one, or the same constant.
func sameOperand(a, b ssa.Value) bool {
	x, ok := a.(*ssa.Const)
	y, ok2 := b.(*ssa.Const)
	if ok && ok2 {
		return types.Identical(x.Type(), y.Type()) && (x.Value == y.Value || x.Value != nil && y.Value != nil && x.Value.ExactString() == y.Value.ExactString())
	}
	return a == b
}

// beforeLiteral reports whether an op of an enclosing function may be done before the literal in which fn stands is made, or
// whether that is deferred.
func beforeLiteral(o *channels.Op, fn *ssa.Function) bool {
	for lit := fn; lit.Parent() != nil; lit = lit.Parent() {
		if lit.Parent() != o.Fn {
			continue
		}
		for _, mc := range closures(lit) {
			if in, ok := mc.(ssa.Instruction); ok && ssawalk.MayFollow(o.Instr, in) {
				return true
			}
		}
		return endsLater(lit)
	}
	return false
}

// slotsFree reports whether a send takes a slot of this call's own semaphore and surely gets one: all who take one give it back,
// and wait only for what ends in between.
func (d *deaf) slotsFree(w *channels.Wait) bool {
	c := w.On().Chan
	if c == nil || c.Room() == 0 || !c.Local(ssawalk.Outermost(w.Fn)) {
		return false // a handshake; a slot of others, whose contexts may go on
	}
	for _, o := range c.Ops {
		if o.Kind == channels.Send && !d.comes(runner{fn: o.Fn, from: o.Instr}, c, channels.Receive) {
			return false
		}
	}
	return true
}

func empty(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// givesBack reports whether a send puts back what some function took out by a receive and handed to its caller: the channel is a
// pool, with room for all that is in it.
func (d *deaf) givesBack(w *channels.Wait) bool {
	c := w.On().Chan
	send, ok := w.Instr.(*ssa.Send)
	if !ok || c == nil || c.Room() == 0 || len(c.Makes) == 0 {
		return false
	}
	if _, given := ssawalk.Source(send.X).(*ssa.Parameter); !given {
		return false
	}
	for _, op := range c.Ops {
		if u, ok := op.Instr.(*ssa.UnOp); ok && op.Kind == channels.Receive && returned(u) {
			return true
		}
	}
	return false
}

// returned reports whether what is received is returned.
func returned(u *ssa.UnOp) bool {
	var vals []ssa.Value
	vals = append(vals, u)
	for _, ref := range *u.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == 0 {
			vals = append(vals, x)
		}
	}
	for _, v := range vals {
		for _, ref := range *v.Referrers() {
			if _, ok := ref.(*ssa.Return); ok {
				return true
			}
		}
	}
	return false
}

// passesOn reports whether a send puts back what its function took from the same channel: something for another of those who
// take, which is beside it.
func (d *deaf) passesOn(w *channels.Wait) bool {
	send, ok := w.Instr.(*ssa.Send)
	if !ok || w.On().Chan == nil {
		return false
	}
	for _, op := range w.On().Chan.Ops {
		if op.Fn != w.Fn || op.Kind != channels.Receive && op.Kind != channels.Range {
			continue
		}
		if v, ok := op.Instr.(ssa.Value); ok && (send.X == v || extractFrom(send.X, v)) {
			return true
		}
	}
	return false
}

// extractFrom reports whether v is part of what a receive gives.
func extractFrom(v, tuple ssa.Value) bool {
	x, ok := v.(*ssa.Extract)
	return ok && x.Tuple == tuple
}

// locks reports whether a wait takes the one token of a lock, or a place in one: whoever takes it gives it back on each way, and
// only computes in between, as under a mutex.
func (d *deaf) locks(w *channels.Wait) bool {
	c := w.On().Chan
	if c == nil || c.Open || c.Taken || len(c.Makes) == 0 || c.Room() == 0 {
		return false // others may take it, and keep it; a handshake
	}
	give := channels.Send
	if w.Kind == channels.Send {
		give = channels.Receive
	}
	found := false
	for _, op := range c.Ops {
		if op.Kind != w.Kind {
			continue
		}
		from := start(op)
		if from == nil {
			return false
		}
		p := runner{fn: op.Fn, from: from}
		yes, by := d.certain(p, c, []channels.Kind{give}, 0)
		p.until = by
		if !yes || !d.computes(p, c) {
			return false
		}
		found = true
	}
	return found
}

// computes reports whether a runner waits for nothing, the channel c aside.
func (d *deaf) computes(p runner, c *channels.Chan) bool {
	for _, w := range d.ops.Waits(p.fn) {
		if !on(w, c) && p.asked(w.Instr) {
			return false
		}
	}
	for call := range ssawalk.Calls(p.fn) {
		if _, isGo := call.(*ssa.Go); !isGo && p.asked(call) && len(d.r.effects(p.fn, call)) > 0 {
			return false
		}
	}
	return true
}

// closedBefore reports whether the function that receives has closed the channel before.
func (d *deaf) closedBefore(w *channels.Wait) bool {
	c := w.On().Chan
	if c == nil {
		return false
	}
	return closedFirst(w.On(), c)
}

// slotBelow reports whether a call gives back, by a receive further down, a slot that its own function took before: by a send of its own,
// or by a call of what sends.
func (d *deaf) slotBelow(e effect) bool {
	w := d.waitAt(e.In, e.Src)
	if w == nil || w.Kind != channels.Receive {
		return false
	}
	c := w.On().Chan
	if c == nil || c.Room() == 0 || len(c.Makes) == 0 {
		return false // a handshake
	}
	for _, o := range c.Ops {
		if o.Kind != channels.Send {
			continue
		}
		if o.Fn == e.fn && ssawalk.MayFollow(o.Instr, e.call) {
			return true
		}
		for _, s := range d.r.callers[o.Fn] {
			if s.fn == e.fn && ssawalk.MayFollow(s.in, e.call) {
				return true
			}
		}
	}
	return false
}
