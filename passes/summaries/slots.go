package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
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
		case o.Fn == w.Fn && ssawalk.Before(o.Instr, w.Instr), beforeLiteral(o, w.Fn):
			return true
		}
	}
	return false
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

// closedBefore reports whether the function that receives has closed the channel before.
func (d *deaf) closedBefore(w *channels.Wait) bool {
	c := w.On().Chan
	if c == nil {
		return false
	}
	return closedFirst(w.On(), c)
}
