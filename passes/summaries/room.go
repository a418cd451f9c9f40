package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// room reports whether a channel has room for all that is ever sent to it: nobody out of sight sends, and nothing says that the
// senders are more than it has room for; or it is a reply channel, made with room by whoever receives from it; or it was made
// just now, or holds tokens.
func (d *deaf) room(w *channels.Wait) bool {
	op := w.On()
	c := op.Chan
	if c == nil || len(c.Makes) == 0 || c.Room() == 0 {
		return false
	}
	if d.madeJustNow(op, c) || c.Room() > 0 && d.replies(c, ssawalk.Outermost(w.Fn)) || d.tokens(c) {
		return true
	}
	if c.Open {
		return false
	}
	if d.firstSent(op, c) {
		return true
	}
	bag := d.bag(c)
	for _, o := range c.Ops {
		for _, m := range c.Makes {
			if o.Kind == channels.Send && !d.fits(o.Instr, m, c, 0) && !(bag && finite(o.Instr)) {
				return false
			}
		}
	}
	return c.Room() < 0 || d.needs(c) <= c.Room()
}

// madeJustNow reports whether a send is the first to a channel that its own function has made with room, or one of as many as
// there is room for.
func (d *deaf) madeJustNow(op *channels.Op, c *channels.Chan) bool {
	m, ok := ssawalk.Source(op.On).(*ssa.MakeChan)
	if !ok || m.Parent() != op.Fn || !d.fits(op.Instr, m, c, 0) {
		return false
	}
	for _, p := range c.Ops {
		if p != op && p.Kind == channels.Send && p.Fn == op.Fn && ssawalk.MayFollow(p.Instr, op.Instr) {
			return false
		}
	}
	return true
}

// firstSent reports whether a send comes before all others: these are later in the same goroutine, or in what that calls later.
func (d *deaf) firstSent(op *channels.Op, c *channels.Chan) bool {
	if c.Room() < 1 || len(c.Makes) != 1 || !d.fits(op.Instr, c.Makes[0], c, 0) {
		return false
	}
	for _, o := range c.Ops {
		if o == op || o.Kind != channels.Send {
			continue
		}
		before := []ssa.Instruction{o.Instr}
		if o.Fn != op.Fn {
			before = d.waysTo(o.Fn)
		}
		for _, in := range before {
			if _, apart := in.(*ssa.Go); apart || in.Parent() != op.Fn || ssawalk.MayFollow(in, op.Instr) {
				return false
			}
		}
	}
	return true
}

// replies reports whether all channels of a class are made with room by functions that receive from them, other than home.
func (d *deaf) replies(c *channels.Chan, home *ssa.Function) bool {
	for _, m := range c.Makes {
		maker, receives := ssawalk.Outermost(m.Parent()), false
		for _, o := range c.Ops {
			receives = receives || o.Kind == channels.Receive && ssawalk.Outermost(o.Fn) == maker
		}
		if !receives || maker == home {
			return false
		}
	}
	return true
}

// fits reports whether a send, or the call on the way to it, runs once for the channel that m makes, or in a loop that goes round
// as often as the channel has room, or that takes one out in each round, and no literal that something else runs round and round. Of a
// channel that no field and no package variable holds, what is not seen is not taken to run more often.
func (d *deaf) fits(at ssa.Instruction, m *ssa.MakeChan, c *channels.Chan, depth int) bool {
	fn := at.Parent()
	for l := channels.LoopOf(at.Block()); l != nil; l = l.Outer() {
		if fn == m.Parent() && l.Blocks[m.Block()] {
			break
		}
		if !sameSize(bound(l), m.Size) && !takenEachRound(at, l, c) {
			return false
		}
	}
	switch {
	case fn == m.Parent():
		return true
	case depth > maxClimb:
		return !c.Kept
	}
	ways := d.waysTo(fn)
	for _, in := range ways {
		if in.Parent() != fn && !d.fits(in, m, c, depth+1) || d.ranOften(in, fn, m) {
			return false
		}
	}
	return len(ways) > 0 || !c.Kept
}

// waysTo returns the instructions that run a function: the calls in sight, or, of a literal without any, where it is made.
func (d *deaf) waysTo(fn *ssa.Function) []ssa.Instruction {
	var out []ssa.Instruction
	for _, s := range d.r.callers[fn] {
		out = append(out, s.in)
	}
	if len(out) > 0 || fn.Parent() == nil {
		return out
	}
	for _, mc := range closures(fn) {
		if in, ok := mc.(ssa.Instruction); ok {
			out = append(out, in)
		}
	}
	return out
}

// takenEachRound reports whether a loop receives from a channel on each way from a send, or from what leads to one, to its next
// round.
func takenEachRound(at ssa.Instruction, l *channels.Loop, c *channels.Chan) bool {
	takes := make(map[ssa.Instruction]bool)
	for _, o := range c.Ops {
		if o.Kind != channels.Receive || !l.Blocks[o.Instr.Block()] {
			continue
		}
		if sel, ok := o.Instr.(*ssa.Select); ok {
			takes[caseStart(sel, o.On)] = true
		} else {
			takes[o.Instr] = true
		}
	}
	delete(takes, nil) // a case that does nothing of its own: which way it goes cannot be told
	seen := make(map[*ssa.BasicBlock]bool)
	var round func(b *ssa.BasicBlock, i int) bool
	round = func(b *ssa.BasicBlock, i int) bool {
		for _, in := range b.Instrs[i:] {
			if takes[in] {
				return true
			}
		}
		for _, s := range b.Succs {
			if s == l.Header {
				return false
			}
			if l.Blocks[s] && !seen[s] {
				seen[s] = true
				if !round(s, 0) {
					return false
				}
			}
		}
		return true
	}
	return len(takes) > 0 && round(at.Block(), indexIn(at.Block(), at))
}
