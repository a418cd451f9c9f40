package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/channels"
)

// room reports whether a channel has room for all that is ever sent to it: nobody out of sight sends, and it is made as large as
// its senders are many; or it is a reply channel, made with room by whoever receives from it; or it was made just now.
func (d *deaf) room(w *channels.Wait) bool {
	op := w.On()
	c := op.Chan
	if c == nil || len(c.Makes) == 0 || c.Room() == 0 {
		return false
	}
	if d.madeJustNow(op, c) || c.Room() > 0 && d.replies(c, ssawalk.Outermost(w.Fn)) {
		return true
	}
	if c.Open {
		return false
	}
	for _, o := range c.Ops {
		for _, m := range c.Makes {
			if o.Kind == channels.Send && !d.fits(o.Instr, m, 0) {
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
	if !ok || m.Parent() != op.Fn || !d.fits(op.Instr, m, 0) {
		return false
	}
	for _, p := range c.Ops {
		if p != op && p.Kind == channels.Send && p.Fn == op.Fn && ssawalk.MayFollow(p.Instr, op.Instr) {
			return false
		}
	}
	return true
}

// inRow returns how many sends on one way of their function o is the last of.
func (d *deaf) inRow(o *channels.Op, c *channels.Chan) int64 {
	n := int64(1)
	for _, p := range c.Ops {
		if p != o && p.Kind == channels.Send && p.Fn == o.Fn && ssawalk.MayFollow(p.Instr, o.Instr) {
			n++
		}
	}
	return n
}

// needs returns how many sends there are at most: of those of one function, as many as are on one way, each time it is called.
func (d *deaf) needs(c *channels.Chan) (sum int64) {
	most := make(map[*ssa.Function]int64)
	for _, o := range c.Ops {
		if o.Kind == channels.Send {
			most[o.Fn] = max(most[o.Fn], d.inRow(o, c))
		}
	}
	for fn, n := range most {
		sum += n * int64(max(1, len(d.r.callers[fn])))
	}
	return sum
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

// fits reports whether a send, or the call on the way to it, runs once for the channel that m makes, or in one loop that goes round
// as often as the channel has room.
func (d *deaf) fits(at ssa.Instruction, m *ssa.MakeChan, depth int) bool {
	fn := at.Parent()
	for l := channels.LoopOf(at.Block()); l != nil; l = l.Outer() {
		if fn == m.Parent() && l.Blocks[m.Block()] {
			break
		}
		if !sameSize(bound(l), m.Size) {
			return false
		}
	}
	switch {
	case fn == m.Parent():
		return true
	case depth > maxClimb:
		return false
	}
	if fn.Parent() != nil {
		made := closures(fn)
		if len(made) != 1 {
			return false
		}
		in, ok := made[0].(ssa.Instruction)
		return ok && d.fits(in, m, depth+1)
	}
	for _, s := range d.r.callers[fn] {
		if s.fn == fn || !d.fits(s.in, m, depth+1) {
			return false
		}
	}
	return len(d.r.callers[fn]) > 0
}

// bound returns what a counted loop counts up to, or the length of what it goes over; nil when it cannot be told.
func bound(l *channels.Loop) ssa.Value {
	for _, in := range l.Header.Instrs {
		if b, ok := in.(*ssa.BinOp); ok && (b.Op == token.LSS || b.Op == token.LEQ) {
			return b.Y
		}
	}
	for _, in := range l.Header.Instrs {
		if n, ok := in.(*ssa.Next); ok {
			if r, ok := n.Iter.(*ssa.Range); ok {
				return r.X // a map, of which the room is the length
			}
		}
	}
	return nil
}

// sameSize reports whether a loop's bound n and the room of a channel are the same: the same value, the length of the same
// thing, or room that is computed from it.
func sameSize(n, room ssa.Value) bool {
	if n == nil {
		return false
	}
	a, b := sized(n), sized(room)
	if a == b || sameField(a, b) {
		return true
	}
	if x, ok := a.(*ssa.Const); ok {
		y, ok := b.(*ssa.Const)
		return ok && x.Int64() <= y.Int64()
	}
	if bin, ok := b.(*ssa.BinOp); ok && (bin.Op == token.ADD || bin.Op == token.MUL) {
		return sameSize(n, bin.X) || sameSize(n, bin.Y)
	}
	return false
}

// sized returns that of which v is the length, or v; a variable or field stands for what is read from it.
func sized(v ssa.Value) ssa.Value {
	for range 8 {
		switch x := v.(type) {
		case *ssa.Call:
			b, ok := x.Call.Value.(*ssa.Builtin)
			if !ok || b.Name() != "len" {
				return v
			}
			v = x.Call.Args[0]
		case *ssa.Convert:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return v
			}
			v = x.X
		default:
			return v
		}
	}
	return v
}

// sameField reports whether two values are read from, or are, the same field of the same thing.
func sameField(a, b ssa.Value) bool {
	f, x := ssawalk.Field(a)
	g, y := ssawalk.Field(b)
	return f != nil && f == g && (x == y || ssawalk.Source(x) == ssawalk.Source(y) || sized(x) == sized(y))
}
