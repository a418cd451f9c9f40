package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/loops"
)

// A loop that makes attempts until an instant which its function has made from the clock goes on until then, whoever has left: when the
// attempts hear the context each fails at once and the loop turns as fast as it can, and when they do not the rest of the time is spent
// for nobody. What a caller hands in may be his own deadline, and is no such instant.

// judgeOwnClock judges a loop that makes attempts until an instant of its own and does not look at the context in reach.
func (r *Result) judgeOwnClock(c *court, fn *ssa.Function, l *loops.Loop) {
	if l.Ring() || l.Collection() || !r.untilOwn(l) || r.looksAround(l) || r.pausesIn(l) {
		return // no clock, or one that the caller gave; it looks; a pause is judged by itself
	}
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || !typeset.ReturnsError(call.Call.Signature()) || errorOf(call) == nil || !r.tries(fn, call) {
				continue
			}
			w := &way{r: r, l: l, call: call, err: errorOf(call), seen: make(map[*ssa.BasicBlock]bool), pauses: true, loose: true}
			reach := r.mayInherit(fn, call, l)
			if len(reach) == 0 || !w.round() {
				continue
			}
			pos, end := r.loopPos(l)
			v := r.verdict("blindretry", "clock", Wait{Name: r.nameOf(call), Src: pos, In: fn}, loopName(l), reach)
			v.End = end
			c.add(v)
			return // one a loop
		}
	}
}

// tries reports whether a call waits, as far as can be told: it is given a context, or its summary says so.
func (r *Result) tries(fn *ssa.Function, call *ssa.Call) bool {
	return givenContext(call) || len(r.effects(fn, call)) > 0
}

// untilOwn reports whether some way out of a loop asks the clock, and each that does compares it with what this function took from it.
func (r *Result) untilOwn(l *loops.Loop) bool {
	found := false
	for _, cond := range l.Clocks() {
		if !comparesTime(cond) {
			continue // what an attempt says that was told how long it may take
		}
		if !ownInstant(cond, 0) {
			return false
		}
		found = true
	}
	return found
}

// comparesTime reports whether a condition itself compares instants or durations.
func comparesTime(cond ssa.Value) bool {
	switch x := ssawalk.Source(cond).(type) {
	case *ssa.BinOp:
		return typeset.IsTime(x.X.Type()) || typeset.IsDuration(x.X.Type())
	case *ssa.Call:
		return takesTime(x)
	}
	return false
}

// ownInstant reports whether what a value says of time comes from the clock, read by the function itself.
func ownInstant(v ssa.Value, depth int) bool {
	v = ssawalk.Source(v)
	switch x := v.(type) {
	case *ssa.BinOp:
		return depth < 6 && ownOperand(x.X, depth) && ownOperand(x.Y, depth)
	case *ssa.Call:
		callee := x.Call.StaticCallee()
		if depth > 6 || callee == nil || callee.Pkg == nil || callee.Pkg.Pkg.Path() != "time" {
			return false
		}
		for _, a := range x.Call.Args {
			if !ownOperand(a, depth) {
				return false
			}
		}
		return true
	}
	return false
}

// ownOperand is the same for a part, of which a mere duration says nothing.
func ownOperand(v ssa.Value, depth int) bool {
	if !typeset.IsTime(v.Type()) {
		call, asks := ssawalk.Source(v).(*ssa.Call)
		return !asks || !takesTime(call) || ownInstant(call, depth+1)
	}
	return ownInstant(v, depth+1)
}

// takesTime reports whether a call is given an instant.
func takesTime(call *ssa.Call) bool {
	for _, a := range call.Call.Args {
		if typeset.IsTime(a.Type()) {
			return true
		}
	}
	return false
}

// pausesIn reports whether a round of a loop pauses.
func (r *Result) pausesIn(l *loops.Loop) bool {
	for _, p := range loops.Pauses(l.Fn) {
		if l.Has(p.At.Block()) {
			return true
		}
	}
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			call, ok := ssawalk.AsCall(in)
			if !ok {
				continue
			}
			for _, e := range r.effects(l.Fn, call) {
				if e.Pause && !e.Async {
					return true
				}
			}
		}
	}
	return false
}
