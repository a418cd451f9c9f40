package loops

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// Pause is a place where a function waits for time to pass and for nothing else: a receive from a timer or ticker, or a
// select of which each case is one or says that something is over.
type Pause struct {
	At    ssa.Instruction
	Chan  ssa.Value   // the timer's channel
	Stops []ssa.Value // what else ends it: channels that only say that something is over
	Hears bool        // the Done of a context is among them
}

// Pauses returns the pauses of fn but for the calls that sleep, which the tables know.
func Pauses(fn *ssa.Function) []Pause {
	var out []Pause
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.UnOp:
				if in.Op == token.ARROW && IsTimer(in.X.Type()) {
					out = append(out, Pause{At: in, Chan: in.X})
				}
			case *ssa.Select:
				if p, ok := ofSelect(in); ok {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

func ofSelect(sel *ssa.Select) (Pause, bool) {
	p := Pause{At: sel}
	if !sel.Blocking {
		return p, false // with a default it does not wait
	}
	for _, s := range sel.States {
		switch {
		case s.Dir != types.RecvOnly:
			return p, false // hands something on
		case IsTimer(s.Chan.Type()):
			p.Chan = s.Chan
		case IsDone(s.Chan):
			p.Hears = true
		case typeset.IsSignalChan(s.Chan.Type()):
			p.Stops = append(p.Stops, s.Chan)
		default:
			return p, false // takes something, which may come at any time
		}
	}
	return p, p.Chan != nil
}

// IsTimer reports whether a channel's values are instants: that of a timer or ticker.
func IsTimer(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	return ok && typeset.IsTime(c.Elem())
}

// Ticks reports whether v is the channel of a ticker, or of a timer, by its type.
func Ticks(v ssa.Value) (timer, ticker bool) {
	switch v := v.(type) {
	case *ssa.Call:
		name := ssawalk.CalleeName(v)
		return name == "time.After", name == "time.Tick"
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok {
			t := typeset.Deref(fa.X.Type())
			return typeset.Is(t, "time", "Timer"), typeset.Is(t, "time", "Ticker")
		}
	}
	e, ok := v.Type().Underlying().(*types.Chan)
	return ok && typeset.Is(e.Elem(), "time", "Time"), false // whatever sends an instant is a clock
}

// IsDone reports whether a channel is the Done of some context.
func IsDone(ch ssa.Value) bool {
	if ct, ok := ch.(*ssa.ChangeType); ok {
		ch = ct.X
	}
	c, ok := ch.(*ssa.Call)
	if !ok {
		return false
	}
	if c.Call.IsInvoke() {
		return c.Call.Method.Name() == "Done" && typeset.ImplementsContext(c.Call.Value.Type())
	}
	fn := c.Call.StaticCallee()
	return fn != nil && fn.Name() == "Done" && len(c.Call.Args) > 0 && typeset.ImplementsContext(c.Call.Args[0].Type())
}

// TimerOf returns the call that makes a timer's channel (time.After, time.NewTimer, time.Tick), or nil.
func TimerOf(ch ssa.Value) *ssa.Call {
	if load, ok := ch.(*ssa.UnOp); ok {
		if fa, ok := load.X.(*ssa.FieldAddr); ok {
			ch = fa.X // timer.C
		}
	}
	c, _ := ch.(*ssa.Call)
	return c
}

// Looks reports whether an instruction asks whether a context, or whatever has a channel that says so, is over: Err, Cause,
// Deadline, a receive from Done or a select that lists it.
func Looks(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Call:
		return asks(&in.Call)
	case *ssa.UnOp:
		return in.Op == token.ARROW && typeset.IsSignalChan(in.X.Type())
	case *ssa.Select:
		for _, s := range in.States {
			if s.Dir == types.RecvOnly && typeset.IsSignalChan(s.Chan.Type()) {
				return true
			}
		}
	}
	return false
}

func asks(c *ssa.CallCommon) bool {
	if c.IsInvoke() {
		name := c.Method.Name()
		return (name == "Err" || name == "Deadline") && typeset.ImplementsContext(c.Value.Type())
	}
	fn := c.StaticCallee()
	if fn == nil {
		return false
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return false
	}
	if typeset.FullName(obj) == "context.Cause" {
		return true
	}
	return (obj.Name() == "Err" || obj.Name() == "Deadline") && len(c.Args) > 0 && typeset.ImplementsContext(c.Args[0].Type())
}

// LooksIn reports whether some block of the loop looks at a context.
func (l *Loop) LooksIn() bool {
	for b := range l.blocks {
		for _, in := range b.Instrs {
			if Looks(in) {
				return true
			}
		}
	}
	return false
}
