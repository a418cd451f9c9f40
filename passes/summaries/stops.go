package summaries

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/loops"
)

// A component that ends by closing a channel promises that what it runs ends with it. The promise is empty where nobody receives from
// the channel, and broken where a goroutine of the component goes round without hearing it, or waits for a side that has left with it.

// stop is a channel that a component closes when it ends, and that stays in the package.
type stop struct {
	ch    *channels.Chan
	owner *types.Named // the type that has it in a field
	close *channels.Op
	text  string // as a reader would type it where it is closed
}

// judgeStops judges the stop channels of the package, where no other rule has spoken.
func (d *deaf) judgeStops(c *court) {
	d.judgeNaps(c)
	for _, s := range d.stops() {
		if d.unheard(s) {
			d.tellStop(c, s, s.close.Fn, s.close.Instr.(ssa.CallInstruction).Common().Pos(), nil)
			continue // that is the defect, whoever else does not hear it
		}
		for _, fn := range d.r.ir.Funcs {
			if d.r.ir.InTest(fn) || d.r.entries.TestCode(fn) || d.r.flow.cleanupFunc(fn) || !has(fn, s.owner) {
				continue // a test has its own timeout; part of ending something; it could not hear it
			}
			for _, w := range d.ops.Waits(fn) {
				if !d.behind[w] && d.outlives(w, s) {
					d.tellStop(c, s, fn, d.at(w), w)
				}
			}
		}
	}
}

// tellStop enters a verdict: on a wait, or, when w is nil, on the close that nobody hears.
func (d *deaf) tellStop(c *court, s stop, fn *ssa.Function, pos token.Pos, w *channels.Wait) {
	if _, told := c.byPos[pos]; told {
		return // a context in reach is the nearer end
	}
	v := d.r.verdict("deafwait", "stop", Wait{Src: pos, In: fn}, s.text, nil)
	v.Ctx = s.text
	if w != nil {
		at := d.span(w)
		v.Subject, v.Wait, d.shown[pos] = at.text, at.text, at
	}
	c.add(v)
}

// stops returns the stop channels: of struct{}, made and kept here in a field, and closed only by what ends something by its name.
func (d *deaf) stops() []stop {
	var out []stop
	seen := make(map[*channels.Chan]bool)
	for _, fn := range d.r.ir.Funcs {
		for _, ch := range d.ops.Chans(fn) {
			if seen[ch] {
				continue
			}
			seen[ch] = true
			if s, ok := d.stopOf(ch); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

func (d *deaf) stopOf(ch *channels.Chan) (stop, bool) {
	if len(ch.Makes) == 0 || ch.Open || ch.Taken || ch.Lent {
		return stop{}, false // others have it too: they may close it, or wait for it
	}
	s := stop{ch: ch}
	for _, op := range ch.Ops {
		if op.Kind != channels.Close {
			continue
		}
		if !typeset.IsSignalChan(op.On.Type()) || !ending(ssawalk.Outermost(op.Fn).Name()) {
			return stop{}, false // it brings something; it says that something is done, which is no order to stop
		}
		if s.close != nil {
			continue
		}
		field, of := ssawalk.Field(op.On)
		if field == nil || d.r.calls[op.Instr.(ssa.CallInstruction).Common().Pos()] == nil {
			continue
		}
		s.close, s.owner = op, typeset.Named(typeset.Deref(of.Type()))
		s.text = exprText(d.r.calls[op.Instr.(ssa.CallInstruction).Common().Pos()].Args[0])
	}
	return s, s.close != nil && s.owner != nil
}

// unheard reports whether nothing receives from a stop channel, not even a test.
func (d *deaf) unheard(s stop) bool {
	if s.ch.Has(channels.Receive) || s.ch.Has(channels.Range) {
		return false
	}
	for _, fn := range d.r.ir.Funcs {
		if !d.r.ir.InTest(fn) {
			continue
		}
		for in := range ssawalk.Instrs(fn) {
			if f, _ := fieldRead(in); f != nil && f == fieldOfStop(s) {
				return false // what a test does with it is not asked
			}
		}
	}
	return true
}

func fieldOfStop(s stop) *types.Var {
	f, _ := ssawalk.Field(s.close.On)
	return f
}

// fieldRead returns the field whose address or value an instruction takes.
func fieldRead(in ssa.Instruction) (*types.Var, ssa.Value) {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		return ssawalk.Field(in)
	case *ssa.Field:
		return ssawalk.Field(in)
	}
	return nil, nil
}

// has reports whether a function is a method of a type, or a literal in one, or is given a value of it: it could hear what that has.
func has(fn *ssa.Function, owner *types.Named) bool {
	of := func(t types.Type) bool {
		n := typeset.Named(typeset.Deref(t))
		return n != nil && n.Origin() == owner.Origin()
	}
	for f := fn; f != nil; f = f.Parent() {
		for _, p := range f.Params {
			if of(p.Type()) {
				return true
			}
		}
	}
	for _, v := range fn.FreeVars {
		if of(v.Type()) || of(typeset.Deref(v.Type())) {
			return true
		}
	}
	return false
}

// outlives reports whether a wait goes on when a stop channel is closed.
func (d *deaf) outlives(w *channels.Wait, s stop) bool {
	l := channels.LoopOf(w.Instr.Block())
	switch w.Kind {
	case channels.Sleep:
		return l != nil && d.runsApart(w.Fn) && (d.neverLeft(w) || d.pause(w) >= lateness && d.asks(l, s))
	case channels.Receive, channels.Range:
		return l != nil && d.runsApart(w.Fn) && d.neverLeft(w) || d.gone(w, s, channels.Send)
	case channels.Send:
		return l != nil && d.runsApart(w.Fn) && d.neverLeft(w) || d.gone(w, s, channels.Receive)
	case channels.Select:
		return l != nil && d.runsApart(w.Fn) && d.neverLeft(w)
	}
	return false
}

// runsApart reports whether a go statement starts a function.
func (d *deaf) runsApart(fn *ssa.Function) bool {
	for _, s := range d.r.callers[fn] {
		if d.spawns(s) {
			return true
		}
	}
	return false
}

// neverLeft reports whether the loop around a wait is never left and asks nobody whether to go on: no exit but that of a range whose
// channel nobody closes, such as a ticker's.
func (d *deaf) neverLeft(w *channels.Wait) bool {
	l := d.r.loops.Around(w.Instr)
	if l == nil || l.Ring() || l.LooksIn() {
		return false // it looks at something that may say that it is over
	}
	for _, b := range l.Blocks() {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			return false
		}
		for _, next := range b.Succs {
			if !l.Has(next) && !channels.Panics(next) && !(b == w.Instr.Block() && w.Kind == channels.Range && d.neverClosed(w)) {
				return false
			}
		}
	}
	return w == d.firstIn(l)
}

// neverClosed reports whether nobody closes the channel that a wait ranges over.
func (d *deaf) neverClosed(w *channels.Wait) bool {
	op := w.On()
	if loops.IsTimer(op.On.Type()) {
		return true
	}
	c := op.Chan
	return c != nil && len(c.Makes) > 0 && !c.Open && !c.Has(channels.Close)
}

// firstIn returns the first wait of a loop, which stands for the rest.
func (d *deaf) firstIn(l *loops.Loop) *channels.Wait {
	for _, w := range d.ops.Waits(l.Fn) {
		if l.Has(w.Instr.Block()) {
			return w
		}
	}
	return nil
}

// asks reports whether a loop receives from a stop channel somewhere.
func (d *deaf) asks(l *channels.Loop, s stop) bool {
	for _, op := range s.ch.Ops {
		if op.Kind == channels.Receive && l.Blocks[op.Instr.Block()] {
			return true
		}
	}
	return false
}

// gone reports whether all that could end a wait leave when the stop channel is closed, and nothing else does: a send to a channel
// without room whose receivers all list the stop beside, or a receive from one that nobody closes and whose senders all do.
func (d *deaf) gone(w *channels.Wait, s stop, other channels.Kind) bool {
	c := w.On().Chan
	if c == nil || c == s.ch || len(c.Makes) == 0 || c.Open || c.Taken || c.Lent || c.Has(channels.Close) || d.drainedAtEnd(c) {
		return false // somebody out of sight is there too; it is closed, or emptied at the end
	}
	if w.Kind == channels.Send && (c.Room() != 0 || d.r.flow.afterDone(w.Instr)) {
		return false // there may be room
	}
	found := false
	for _, op := range c.Ops {
		if op.Kind != other && !(other == channels.Receive && op.Kind == channels.Range) {
			continue
		}
		if op.Fn == w.Fn || !d.leavesWith(op, s) {
			return false // one that stays
		}
		found = true
	}
	return found
}

// leavesWith reports whether an op is in a select that lists the stop channel, in a loop or not, and returns when it is closed.
func (d *deaf) leavesWith(op *channels.Op, s stop) bool {
	sel, ok := op.Instr.(*ssa.Select)
	if !ok || !sel.Blocking {
		return false
	}
	for _, o := range s.ch.Ops {
		if o.Instr != op.Instr || o.Kind != channels.Receive {
			continue
		}
		arm := caseStart(sel, o.On)
		return arm != nil && returnsFrom(arm.Block())
	}
	return false
}

// returnsFrom reports whether control goes straight on to a return from a block.
func returnsFrom(b *ssa.BasicBlock) bool {
	for range 4 {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			return true
		}
		if len(b.Succs) != 1 {
			return false
		}
		b = b.Succs[0]
	}
	return false
}
