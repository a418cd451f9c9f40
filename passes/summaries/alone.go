package summaries

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/loops"
	"github.com/doneby/doneby/passes/settings"
)

// endsItself reports whether a wait shows its own end: a case for it, a short time, a signal.
func (d *deaf) endsItself(w *channels.Wait) bool {
	switch w.Kind {
	case channels.Sleep:
		return d.shortPause(w.Instr, w.Instr.(ssa.CallInstruction).Common().Args[0])
	case channels.Receive, channels.Range:
		op := w.On()
		if t := d.timer(op.On); t != nil && w.Kind == channels.Receive {
			return d.shortPause(w.Instr, t.Call.Args[0])
		}
		if timer, _ := loops.Ticks(op.On); timer {
			return true // of a length that is not known
		}
		return isDone(op.On) || isSignal(op.On) || op.Chan != nil && op.Chan.Given || w.Kind == channels.Receive && holdsSome(op)
	case channels.Select:
		for _, op := range w.Cases {
			if op.Kind == channels.Receive && d.caseEnds(w, op) {
				return true
			}
		}
	}
	return false
}

// holdsSome reports whether a receive is reached only where its channel has something in it, by its len.
func holdsSome(op *channels.Op) bool {
	for cond, taken := range conditions(op.Instr.Block()) {
		bin, ok := cond.(*ssa.BinOp)
		if !ok || !taken || bin.Op != token.GTR && bin.Op != token.NEQ {
			continue
		}
		if zero, ok := bin.Y.(*ssa.Const); ok && isLenOf(bin.X, op.On) && zero.Int64() == 0 {
			return true
		}
	}
	return false
}

// isLenOf reports whether v is the len of a channel.
func isLenOf(v, ch ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "len" && same(c.Call.Args[0], ch)
}

// shortPause reports whether a pause is shorter than the setting, 100 ms unless told, or one of a loop that tries again, which is another
// rule's. One whose length is not known may be short; but a loop that is never left pauses for ever, who is handed a context with the
// length of the pause has been told until when, who asks the context beside the pause thinks that it may end meanwhile, a pause until an
// instant lasts as long as whoever named the instant likes, and one with a long default is long unless somebody says otherwise.
func (d *deaf) shortPause(in ssa.Instruction, length ssa.Value) bool {
	l := channels.LoopOf(in.Block())
	n, known := d.r.lengths.Of(length)
	usual, set := d.r.lengths.Default(length)
	long := set && usual >= settings.Of(d.r.pass).Thresholds.Sleep
	switch {
	case known && n < settings.Of(d.r.pass).Thresholds.Sleep:
		return true
	case !known && (l == nil || l.Ends()) && !handed(in, length) && !untilInstant(length) && !(l == nil && (long || asksOwn(in))):
		return true
	}
	return l != nil && !l.Collection() && l.Ends()
}

// handed reports whether a pause is as long as its function is told, which is told a context too.
func handed(in ssa.Instruction, length ssa.Value) bool {
	fn := in.Parent()
	p, ok := ssawalk.Source(length).(*ssa.Parameter)
	return ok && p.Parent() == fn && typeset.ContextParam(fn.Signature) >= 0
}

// untilInstant reports whether a pause is what is left until an instant that the function has not taken from the clock itself: what it adds
// to its own now is a length that nobody knows.
func untilInstant(length ssa.Value) bool {
	c, ok := ssawalk.Source(length).(*ssa.Call)
	if !ok || ssawalk.CalleeName(c) != "time.Until" && ssawalk.CalleeName(c) != "(time.Time).Sub" {
		return false
	}
	return !ownInstant(c.Call.Args[0], 0)
}

// timer returns the call that makes the timer or ticker whose channel v is, or nil.
func (d *deaf) timer(v ssa.Value) *ssa.Call {
	v = ssawalk.Source(v)
	if load, ok := v.(*ssa.UnOp); ok {
		if fa, ok := load.X.(*ssa.FieldAddr); ok {
			v = ssawalk.Source(fa.X) // t.C
		}
	}
	c, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	switch ssawalk.CalleeName(c) {
	case "time.After", "time.NewTimer", "time.NewTicker", "time.Tick":
		return c
	}
	return nil
}

// caseEnds reports whether one case of a select ends it whatever the others do: Done, a stop channel, a timer; a ticker where
// each round looks at a context by itself.
func (d *deaf) caseEnds(w *channels.Wait, op *channels.Op) bool {
	timer, ticker := loops.Ticks(op.On)
	switch {
	case timer || isSignal(op.On) || isDone(op.On) || op.Chan != nil && op.Chan.Given:
		return true
	case ticker:
		l := channels.LoopOf(w.Instr.Block())
		return l == nil || d.consults(w.Fn, l)
	case !endsOnly(op.On.Type()) || asksOwn(w.Instr) || d.awaitsOwnAnswer(w) || d.listedBesideDone(w, op):
		return false // the end of a component is not that of the call, whose own was asked, or handed on, just before
	}
	c := op.Chan
	return c == nil || c.Open || c.Has(channels.Close) || !c.Has(channels.Send) // only closed, as far as anybody sees
}

// consults reports whether some round of a loop looks at a context, or gives one to a call that can fail.
func (d *deaf) consults(fn *ssa.Function, l *channels.Loop) bool {
	for b := range l.Blocks {
		for _, in := range b.Instrs {
			c, ok := ssawalk.AsCall(in)
			if !ok {
				continue
			}
			if isErrCall(valueOf(in)) {
				return true
			}
			for _, a := range c.Common().Args {
				if d.r.ctx.Carries(a.Type()) && typeset.ReturnsError(c.Common().Signature()) {
					return true
				}
			}
		}
	}
	return false
}

func valueOf(in ssa.Instruction) ssa.Value {
	v, _ := in.(ssa.Value)
	return v
}

// isDone reports whether v is what a method Done returns: a context's, or of something that ends.
func isDone(v ssa.Value) bool {
	c, ok := ssawalk.Source(v).(*ssa.Call)
	return ok && typeset.IsSignalChan(c.Type()) && calleeName(c) == "Done"
}

func isSignal(v ssa.Value) bool {
	c, ok := v.Type().Underlying().(*types.Chan)
	return ok && typeset.Is(c.Elem(), "os", "Signal")
}
