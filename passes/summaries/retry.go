package summaries

import (
	"go/types"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// A pause between rounds is a wait of its own: it ends by nothing, and is the business of whoever has a carrier in reach. It
// goes up to callers like any wait, until one has. A lone pause becomes one between rounds where its function is called in a
// loop.

// ofSleep is a call that sleeps.
func (r *Result) ofSleep(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, row knowledge.Row) []effect {
	if row.Ctx.IsSet() {
		return nil // it hears a context
	}
	length := t.At(row.For)
	if contexts.DeadlineOf(length) != nil {
		return nil // no longer than a context allows
	}
	w := Wait{End: ByNothing, Traits: Traits{Known: true, Pause: true}, Name: contexts.DisplayName(t.Obj), Src: c.Common().Pos(), In: fn}
	w.For = r.pauseOf(length)
	return []effect{{Wait: w, call: c, fn: fn}}
}

// goRound makes the lone pauses of a call ones between rounds when the call stands in a loop that repeats or polls.
func (r *Result) goRound(c ssa.CallInstruction, effects []effect) []effect {
	if _, isGo := c.(*ssa.Go); isGo {
		return effects // the loop goes on at once
	}
	if fitsLeft(c) {
		return slices.DeleteFunc(effects, func(e effect) bool { return e.Pause }) // no longer than a context allows
	}
	for i, e := range effects {
		if !e.Pause || e.Retry || e.Async {
			continue
		}
		if l := r.roundOf(c); l != nil {
			effects[i].Retry, effects[i].round = true, l
			effects[i].Asks = !r.helperGoesOn(l, e.For)
		}
	}
	return effects
}

// roundOf returns the loop that repeats or polls around an instruction, or nil: one that does each of some things once is
// one only when the author looks at a context in it.
func (r *Result) roundOf(in ssa.Instruction) *loops.Loop {
	l := r.loops.Around(in)
	if l == nil || !l.Goes() && !l.LooksIn() {
		return nil
	}
	return l
}

// rounds returns the waits of fn for its callers that no call makes: its pauses in loops where it has no carrier, and, when it
// repeats a function that it is given until that succeeds or its context is over, itself.
func (r *Result) rounds(fn *ssa.Function) []Wait {
	var out []Wait
	if len(r.reach(fn)) == 0 {
		for _, p := range loops.Pauses(fn) {
			if r.roundOf(p.At) == nil || p.Hears || len(p.Stops) > 0 {
				continue
			}
			w := r.pauseWait(fn, p, true)
			w.Asks = !r.helperGoesOn(r.roundOf(p.At), w.For)
			out = append(out, w)
		}
		out = append(out, r.rests(fn)...)
	}
	if w, ok := r.repeater(fn); ok {
		out = append(out, w)
	}
	return out
}

func (r *Result) pauseWait(fn *ssa.Function, p loops.Pause, retry bool) Wait {
	w := Wait{End: ByNothing, Traits: Traits{Known: true, Pause: true, Retry: retry}, Name: "a timer", Src: p.At.Pos(), In: fn}
	if made := loops.TimerOf(p.Chan); made != nil && len(made.Call.Args) > 0 {
		w.For = r.pauseOf(made.Call.Args[0])
	}
	return w
}

// pauseOf returns how long a pause is, 0 when that is not known. One with a little chance in it is as long as the end of the draw; of a
// longer one the least that it may be is not known.
func (r *Result) pauseOf(length ssa.Value) time.Duration {
	if most, ok := r.lengths.Most(length); ok && most < short {
		return most
	}
	n, _ := r.lengths.Of(length)
	return n
}

// repeater returns the wait of a helper that calls a function parameter again and again until it succeeds or the helper's
// context is over.
func (r *Result) repeater(fn *ssa.Function) (Wait, bool) {
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return Wait{}, false
	}
	for _, l := range r.loops.In(fn) {
		if l.Collection() || l.Counted() || l.Timed() || !l.LeavesOnSuccess() || !r.callsParam(l) {
			continue
		}
		for _, p := range fn.Params {
			if typeset.IsContext(p.Type()) && r.listens(l, p) {
				w := Wait{End: ByParam, Param: p, Traits: Traits{Known: true, Retry: true}, Name: contexts.DisplayName(obj), Src: fn.Pos(), In: fn}
				return w, true
			}
		}
	}
	return Wait{}, false
}

// callsParam reports whether an attempt of the loop is a function that the loop's function is given.
func (r *Result) callsParam(l *loops.Loop) bool {
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if ok && !c.Call.IsInvoke() && r.calledParam(c.Call.Value) != nil && typeset.ReturnsError(c.Call.Signature()) {
				return true
			}
		}
	}
	return false
}

// listens reports whether the loop looks at what comes from the parameter p.
func (r *Result) listens(l *loops.Loop, p *ssa.Parameter) bool {
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok || !c.Call.IsInvoke() || c.Call.Method.Name() != "Err" && c.Call.Method.Name() != "Done" {
				continue
			}
			for _, o := range r.ctx.Origins(c.Call.Value) {
				if o.Kind == contexts.Param && o.Param == p {
					return true
				}
			}
		}
	}
	return false
}

// repeats is the wait of a helper that retries and takes no context, beside its twin with one, for its caller: it is the
// caller who chose that form.
func (w Wait) repeats(fn *ssa.Function, c ssa.CallInstruction) Wait {
	w.Wrapper, w.Src, w.In, w.Via, w.Path = false, c.Common().Pos(), fn, nil, nil
	return w
}
