package summaries

import (
	"go/constant"
	"go/token"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// A function that fails can have itself called again when some time has passed: by time.AfterFunc, or by a goroutine that pauses first.
// That is a loop whose rounds nobody waits for, and it goes on until some round looks at the context.

// judgeRestarts judges the timers and pauses after which fn, or what it is part of, begins again.
func (r *Result) judgeRestarts(c *court, fn *ssa.Function) {
	for call := range ssawalk.Calls(fn) {
		at, ok := call.(*ssa.Call)
		if !ok {
			continue
		}
		if l := r.loops.Later(at); l != nil && !r.mayBeStopped(at) {
			w := Wait{End: ByNothing, Traits: Traits{Known: true, Pause: true, Retry: true}, Name: "a timer", Src: at.Call.Pos(), In: fn}
			if targets, _ := r.ctx.Targets(&at.Call); len(targets) == 1 {
				if row, ok := r.ctx.Row(targets[0].Obj); ok {
					w.For, _ = r.lengths.Of(targets[0].At(row.For))
				}
			}
			r.judgeLater(c, w, at, l)
		}
	}
	for _, p := range loops.Pauses(fn) {
		if r.roundOf(p.At) != nil || p.Hears || len(p.Stops) > 0 {
			continue // judged as a loop; it ends with a context, or with what may be all that is meant to end it
		}
		if l := r.loops.Restarts(p.At); l != nil {
			r.judgeLater(c, r.pauseWait(fn, p, true), p.At, l)
		}
	}
}

// judgeLater judges a pause before a function begins again.
func (r *Result) judgeLater(c *court, w Wait, at ssa.Instruction, l *loops.Loop) {
	reach := r.mayInherit(at.Parent(), at, l)
	if len(reach) == 0 || !r.handsOn(l, reach[0]) {
		return // nothing to inherit, here or in the next round
	}
	if !r.ringGoesOn(l, w.For) {
		return // the next round ends it, and nobody waits for that; or nobody can tell
	}
	c.add(r.standing(r.verdict("blindretry", "pause", w, loopName(l), reach), at))
}

// handsOn reports whether each round of a ring has its context from the one before, as far as it is handed on by calls.
func (r *Result) handsOn(l *loops.Loop, c contexts.Carrier) bool {
	if c.Param == nil {
		return true // kept in a field, and so the same
	}
	for _, s := range l.Steps {
		i := paramIndex(s.To, c.Param)
		if i < 0 {
			continue
		}
		targets, _ := r.ctx.Targets(s.At.Common())
		for _, t := range targets {
			if t.Fn == s.To && i < len(t.Args) && !r.ctx.Origins(t.Args[i]).Any(contexts.Origin.Inherited) {
				return false
			}
		}
	}
	return true
}

// ringGoesOn reports whether a ring surely goes round when the context in reach is over: no function on the way looks at one, nor has it
// done by what may know, and what fails leads on to the next call.
func (r *Result) ringGoesOn(l *loops.Loop, pause time.Duration) bool {
	for _, s := range l.Steps {
		fn := s.At.Parent()
		round := loops.Over(fn)
		if r.looksAround(round) || fewRounds(fn, pause) {
			return false
		}
		for in := range ssawalk.Calls(fn) {
			call, ok := in.(*ssa.Call)
			if !ok || in == s.At || !ssawalk.MayFollow(in, s.At) {
				continue
			}
			if !r.isAttempt(round, call) {
				if r.mayTell(call) {
					return false
				}
				continue
			}
			w := &way{r: r, l: round, call: call, err: errorOf(call), to: s.At, seen: make(map[*ssa.BasicBlock]bool), pauses: true}
			if !w.round() {
				return false
			}
		}
	}
	return true
}

// fewRounds reports whether fn asks for a number that makes the pauses of all rounds soon over.
func fewRounds(fn *ssa.Function, pause time.Duration) bool {
	for in := range ssawalk.Instrs(fn) {
		bin, ok := in.(*ssa.BinOp)
		if !ok || pause <= 0 {
			continue
		}
		switch bin.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL:
			n, ok := bin.Y.(*ssa.Const)
			if ok && n.Value != nil && n.Value.Kind() == constant.Int && !typeset.IsDuration(n.Type()) && n.Int64() > 1 && time.Duration(n.Int64()+1)*pause < lateness {
				return true
			}
		}
	}
	return false
}

// mayTell reports whether somebody heeds what a call gives that cannot fail, and that may know of the end of a context: it is given one and
// is not in sight, or a function of the package on its way looks at one.
func (r *Result) mayTell(call *ssa.Call) bool {
	if call.Call.Signature().Results().Len() == 0 || !heeded(call) || r.derives(call) {
		return false
	}
	bodies := r.bodies(&call.Call)
	if len(bodies) == 0 {
		return givenContext(call) && !typeset.ReturnsError(call.Call.Signature())
	}
	for _, fn := range bodies {
		if r.looksBelow(fn, 0) {
			return true
		}
	}
	return false
}

// looksBelow reports whether fn, or a function of the package that it calls, looks at a context.
func (r *Result) looksBelow(fn *ssa.Function, depth int) bool {
	for in := range ssawalk.Instrs(fn) {
		if loops.Looks(in) {
			return true
		}
		call, ok := in.(*ssa.Call)
		if !ok || depth >= maxHelpers {
			continue
		}
		for _, below := range r.bodies(&call.Call) {
			if below != fn && r.looksBelow(below, depth+1) {
				return true
			}
		}
	}
	return false
}

// mayBeStopped reports whether somebody may stop the timer that a call makes: it is kept in a field that something stops, or handed on.
func (r *Result) mayBeStopped(made *ssa.Call) bool {
	for _, ref := range *made.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			fa, ok := ref.Addr.(*ssa.FieldAddr)
			if !ok || contexts.FieldOf(fa).Exported() || r.stopped(fa) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// stopped reports whether the package stops the timer in a field.
func (r *Result) stopped(kept *ssa.FieldAddr) bool {
	for _, fn := range r.ir.Funcs {
		for in := range ssawalk.Calls(fn) {
			if !calledIs(in, "(*time.Timer).Stop") {
				continue
			}
			load, ok := in.Common().Args[0].(*ssa.UnOp)
			if !ok {
				continue
			}
			if fa, ok := load.X.(*ssa.FieldAddr); ok && contexts.FieldOf(fa) == contexts.FieldOf(kept) {
				return true
			}
		}
	}
	return false
}
