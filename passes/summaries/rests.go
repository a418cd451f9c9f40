package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// A helper that waits for a timer which it has made itself, or for that and the end of its component, sleeps: a loop that calls it between
// its rounds pauses, as it does by time.Sleep.

// rests returns the waits of fn for time to pass that stand in no loop. It has no context.
func (r *Result) rests(fn *ssa.Function) []Wait {
	var out []Wait
	for _, p := range loops.Pauses(fn) {
		made := loops.TimerOf(p.Chan)
		switch {
		case made == nil || made.Parent() != fn || len(made.Call.Args) == 0:
			continue // one that others made may be about to ring
		case p.Hears || !r.stopsOnly(p.Stops):
			continue // it keeps a context, or is given what ends it
		case r.loops.Around(p.At) != nil:
			continue // a round of its own
		case r.isTimeout(p):
			continue // it waits for something, and gives up
		}
		w := r.pauseWait(fn, p, false)
		w.Stopped = len(p.Stops) > 0
		out = append(out, w)
	}
	return out
}

// isTimeout reports whether the timer of a pause only says that what it waits for has not come.
func (r *Result) isTimeout(p loops.Pause) bool {
	sel, ok := p.At.(*ssa.Select)
	if !ok {
		return false
	}
	made, _ := r.onlyTimer(sel)
	return made != nil
}

// fitsLeft reports whether a call is told to take no longer than a context allows.
func fitsLeft(c ssa.CallInstruction) bool {
	for _, a := range c.Common().Args {
		if typeset.IsDuration(a.Type()) && contexts.DeadlineOf(a) != nil {
			return true
		}
	}
	return false
}

// hearsBelow reports whether a function that is called pauses, and hears a context or a stop meanwhile.
func hearsBelow(c *ssa.Call) bool {
	fn := c.Call.StaticCallee()
	if fn == nil {
		return false
	}
	for _, p := range loops.Pauses(fn) {
		if p.Hears || len(p.Stops) > 0 {
			return true
		}
	}
	return false
}
