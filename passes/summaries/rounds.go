package summaries

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// judgeRetry judges a pause, or a call that retries, and reports whether no other rule is to judge it.
func (r *Result) judgeRetry(c *court, e effect) bool {
	switch {
	case e.Pause && isRange(e.call):
		return true // by what its body does, see judgeRanges
	case e.Stopped && (e.round == nil || !r.forCaller(e.round)):
		return true // what else ends it may be all that is meant to
	case e.Pause && !e.Retry:
		if l := r.loops.Restarts(e.call); l != nil && !e.Async {
			r.judgeLater(c, e.Wait, e.call, l)
			return true
		}
		r.judgeBelow(c, e) // a lone pause, unless its function is what a loop pauses with
		return true
	case e.End == ByParam:
		return r.judgeHelper(c, e)
	case e.round != nil:
		r.judgePause(c, e.Wait, e.call, e.round)
		return true
	}
	reach := r.mayInherit(e.fn, e.call, nil)
	if len(reach) == 0 {
		return e.Pause // a retry that only success ends is an unbounded wait
	}
	switch {
	case r.reachedElsewhere(e) || e.Async || e.Cleanup && !r.givenKeeper(e.call):
		return true // judged further down; a goroutine that nobody joins, or a clean-up
	case e.Pause && givenContext(e.call):
		return true // it is given the context, and does not take it: deafctx
	}
	kind := "call"
	if e.Asks {
		kind = "late"
	}
	v := r.verdict("blindretry", kind, e.Wait, e.Name, reach)
	if e.Pause && len(e.Via) > 0 {
		v.Subject = "loop in " + e.Last() // the function that pauses has the loop
	}
	if e.Pause && len(e.Via) > 1 {
		v.Subject += " via " + e.Via[0]
	}
	v.Pos, v.In = e.call.Common().Pos(), e.fn
	r.answer(e, e.Src)
	c.add(v)
	return true
}

// givenContext reports whether a call passes a context on.
func givenContext(c ssa.CallInstruction) bool {
	for _, a := range c.Common().Args {
		if typeset.ImplementsContext(a.Type()) {
			return true
		}
	}
	return false
}

// judgeHelper judges a library's retry that is bound by an option or a policy, where that has no context.
func (r *Result) judgeHelper(c *court, e effect) bool {
	loose := len(e.set) > 0
	for _, o := range e.set {
		loose = loose && o.Kind == contexts.Root && o.Handle
	}
	if !loose {
		return false // inherited, unknown, or a context made on the spot: judged as such
	}
	reach := r.mayInherit(e.fn, e.call, nil)
	if len(reach) == 0 || e.Async {
		return false
	}
	v := r.verdict("blindretry", "call", e.Wait, e.Name, reach)
	v.Pos, v.In = e.call.Common().Pos(), e.fn
	c.add(v)
	return true
}

// judgePause judges a pause between the rounds of a loop.
func (r *Result) judgePause(c *court, w Wait, at ssa.Instruction, l *loops.Loop) {
	reach := r.mayInherit(w.In, at, l)
	if w.In != at.Parent() {
		reach = r.mayInherit(at.Parent(), at, l)
	}
	if len(reach) == 0 {
		return // nothing to inherit here
	}
	kind := "pause"
	switch {
	case w.For > 0 && w.For < r.sleep && l.LooksIn():
		kind = "short" // it is over before anybody minds
	case r.goesOn(l, w.For):
	case w.For >= lateness:
		kind = "long" // the loop ends, when the pause is over
	default:
		kind = "late" // it ends before anybody minds, or nobody can tell when
	}
	c.add(r.standing(r.verdict("blindretry", kind, w, loopName(l), reach), at))
}

// standing returns a verdict as one on the pause at an instruction.
func (r *Result) standing(v Verdict, at ssa.Instruction) Verdict {
	v.Pos, v.In = at.Pos(), at.Parent()
	if call, ok := at.(ssa.CallInstruction); ok {
		v.Pos = call.Common().Pos()
	} else {
		v.End = r.endAt(at)
	}
	return v
}

// loopName says what a loop does.
func loopName(l *loops.Loop) string {
	if l.Retries() {
		return "retry loop"
	}
	return "poll loop"
}

// mayInherit returns the carriers that a loop, or a call that goes round, could hear: none where it is over, cleans up, goes
// on in a goroutine that has nothing to do with it, or works under a context that cannot end.
func (r *Result) mayInherit(fn *ssa.Function, at ssa.Instruction, l *loops.Loop) []contexts.Carrier {
	reach := r.reach(fn)
	switch {
	case len(reach) == 0 || r.entries.TestCode(fn):
		return nil // nothing to inherit; a test has its own timeout
	case r.overAt(at, l) || r.flow.cleanupFunc(fn) && !r.ownTime(reach[0], l) && !r.givenKeeper(at):
		return nil // nothing left to inherit; part of ending something
	case r.endless(reach[0]) || onEndlessPath(at.Block()):
		return nil // every caller in sight gives a context that does not end; this one was asked
	}
	if l == nil {
		if r.flow.loose(fn) {
			return nil // a goroutine that nobody joins
		}
		return reach
	}
	used := r.usedIn(l)
	inherits := used.Any(contexts.Origin.Inherited)
	switch {
	case ignoresContext(fn):
		return reach // whatever the rounds do, and whoever waits for them, it was told until when
	case len(used) > 0 && !inherits:
		return nil // what the rounds do is detached, or nobody can tell
	case r.flow.loose(fn) && !inherits && !l.LooksIn() && reach[0].Param.Parent() != fn:
		return nil // a goroutine that nobody joins, that was not given the context and has nothing to do with it
	}
	return reach
}

// overAt reports whether a context is over at a place in a loop: what a cancel before it has ended, of the attempt or of another's work,
// is none on which the next round waits when that waits on the context in reach.
func (r *Result) overAt(at ssa.Instruction, l *loops.Loop) bool {
	if l != nil && r.usedIn(l).Any(contexts.Origin.Inherited) {
		return r.flow.after(at, receivesEnd)
	}
	return r.flow.afterDone(at)
}

// ownTime reports whether a function that ends something is handed the context which says how long that may take, and heeds it
// in the loop; or only has the name of one, and goes round for ever.
func (r *Result) ownTime(c contexts.Carrier, l *loops.Loop) bool {
	if l != nil && l.Endless() {
		return true // it does not end anything: it cleans up now and then
	}
	return l != nil && c.Field == nil && r.flow.cleanupFunc(c.Param.Parent()) && (l.LooksIn() || r.usedIn(l).Any(contexts.Origin.Inherited))
}

// onEndlessPath reports whether a block is reached only where the Done of a context is nil: it never ends.
func onEndlessPath(b *ssa.BasicBlock) bool {
	for cond, taken := range conditions(b) {
		if ch, whenNil := loops.NilTest(cond); ch != nil && whenNil == taken && loops.IsDone(ch) {
			return true
		}
	}
	return false
}

// endless reports whether a carrier is a parameter for which every caller in sight, and there are no others, gives a context
// that nothing ends.
func (r *Result) endless(c contexts.Carrier) bool {
	if c.Field != nil {
		return false
	}
	fn := c.Param.Parent()
	if obj := fn.Object(); len(r.callers[fn]) == 0 || obj != nil && obj.Exported() {
		return false
	}
	vals, all := r.argsFor(c.Param)
	for _, v := range vals {
		if r.ctx.Origins(v).Any(func(o contexts.Origin) bool { return !bad(o) || o.Bound.Own }) {
			return false
		}
	}
	return all
}

// judgeRounds judges what goes round in fn without a call that waits: pauses on timers, attempts that begin again, and how
// attempts get their contexts.
func (r *Result) judgeRounds(c *court, fn *ssa.Function) {
	if len(r.reach(fn)) == 0 {
		return // nothing to inherit
	}
	r.judgeRestarts(c, fn)
	for _, p := range loops.Pauses(fn) {
		l := r.roundOf(p.At)
		if l == nil || p.Hears || len(p.Stops) > 0 && !r.retriesFor(l, p.Stops) {
			continue // no loop; it ends with a context; what else ends it may be all that is meant to
		}
		r.judgePause(c, r.pauseWait(fn, p, true), p.At, l)
	}
	for _, l := range r.loops.In(fn) {
		r.judgeAgain(c, fn, l)
		r.judgeOwnClock(c, fn, l)
		r.judgeAttempts(c, fn, l)
	}
}

// retriesFor reports whether a loop that also hears a stop of its component retries for a caller.
func (r *Result) retriesFor(l *loops.Loop, stops []ssa.Value) bool {
	return r.stopsOnly(stops) && r.forCaller(l)
}

// forCaller reports whether a loop retries, and its attempts wait on the caller's context.
func (r *Result) forCaller(l *loops.Loop) bool {
	return l.Retries() && r.usedIn(l).Any(contexts.Origin.Inherited)
}

// stopsOnly reports whether channels say that a component ends rather than a call: they are kept in fields, and nothing in
// the package closes one because a context is over.
func (r *Result) stopsOnly(chans []ssa.Value) bool {
	for _, ch := range chans {
		load, ok := ch.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return false
		}
		fa, ok := load.X.(*ssa.FieldAddr)
		if !ok || r.closedWhenOver(contexts.FieldOf(fa)) {
			return false
		}
	}
	return true
}

// closedWhenOver reports whether the package closes the channel in a field where a context is over.
func (r *Result) closedWhenOver(f *types.Var) bool {
	for _, fn := range r.ir.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				c, ok := ssawalk.AsCall(in)
				if !ok {
					continue
				}
				if bi, ok := c.Common().Value.(*ssa.Builtin); !ok || bi.Name() != "close" {
					continue
				}
				load, ok := c.Common().Args[0].(*ssa.UnOp)
				if !ok {
					continue
				}
				if fa, ok := load.X.(*ssa.FieldAddr); ok && contexts.FieldOf(fa) == f && (r.flow.afterDone(in) || r.mayRunWhenOver(fn)) {
					return true
				}
			}
		}
	}
	return false
}

// mayRunWhenOver reports whether a function is also called, or run by context.AfterFunc, where a context is over.
func (r *Result) mayRunWhenOver(fn *ssa.Function) bool {
	for _, s := range r.callers[fn] {
		if calledIs(s.in, "context.AfterFunc") || r.flow.afterDone(s.in) {
			return true
		}
	}
	return false
}
