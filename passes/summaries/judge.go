package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// judge gives the verdict on every wait of the package. First where a carrier is in reach; then on what no caller in sight
// with a carrier has answered for.
func (r *Result) judge() {
	c := newCourt()
	for _, fn := range r.ir.Funcs {
		for call := range ssawalk.Calls(fn) {
			effects := r.effects(fn, call)
			for _, e := range effects {
				r.judgeEffect(c, e)
				r.noteJoin(c, e)
			}
			if !r.ir.InTest(fn) && r.unanswered(call, effects) {
				r.blind++
			}
			r.judgeKept(c, fn, call)
		}
		r.judgeTimers(c, fn)
		r.judgeRounds(c, fn)
		r.judgeRanges(c, fn)
		r.judgeEnded(c, fn)
		r.judgeItems(c, fn)
		r.judgePolls(c, fn)
		r.judgeAskedOnce(c, fn)
		r.judgeSpins(c, fn)
		r.judgeUnnamed(c, fn)
		r.judgeFiles(c, fn)
		r.judgeUnused(c, fn)
		r.judgeDeadlines(c, fn)
		r.judgeChildren(c, fn)
	}
	r.deaf.judge(c)
	r.judgeStarts(c)
	r.judgeOpen(c)
	r.judgeGone(c)
	r.judgeUnheard(c)
	r.deaf.judgeStops(c)
	for _, fn := range r.ir.Funcs {
		r.judgeFits(c, fn)
		r.judgeAside(c, fn)
	}
	for _, fn := range r.ir.Funcs {
		for _, w := range r.sums[fn].waits.sorted() {
			r.judgeRest(c, w)
		}
	}
	r.verdicts = c.verdicts()
	for _, v := range r.verdicts {
		if v.Rule == "unbounded" && r.atGate(v) {
			r.spoken[v.Pos] = true
		}
	}
}

// atGate reports whether a verdict is of a kind made for the gate, or ignored on purpose: either way it speaks for all callers,
// whichever kinds a run shows.
func (r *Result) atGate(v Verdict) bool {
	k, ok := kinds.Lookup(v.Rule, v.Kind)
	return ok && k.Aim == kinds.Gate || r.Ignored(r.pass, v.Pos, v.Rule, v.Kind)
}

// judgeEffect judges one wait of one call, where a carrier is in reach.
func (r *Result) judgeEffect(c *court, e effect) {
	if _, ok := r.wrapper(e); ok {
		return // an API without a context: its callers are judged
	}
	if (e.Pause || e.Retry) && r.judgeRetry(c, e) {
		return // of the loop, not of what one round does
	}
	e.below = e.Async && len(e.Via) > 0
	e.Async = e.Async || r.flow.loose(e.fn)
	e.Left = e.Left || r.flow.left(e.fn)
	if e.End != ByParam {
		if reach := r.reach(e.fn); len(reach) > 0 {
			r.judgeCall(c, e, reach)
		}
		return
	}
	for _, o := range e.set {
		switch {
		case o.Inherited(), o.Kind == contexts.Unknown:
			continue // it ends with the caller, or cannot be told
		case o.Kind == contexts.Lifetime:
			r.judgeLifetime(c, e, o)
		case r.inReach(e, o):
			r.judgeRoot(c, e, o)
		}
	}
}

// judgeRoot judges a context or handle made on the spot where a carrier is in reach.
func (r *Result) judgeRoot(c *court, e effect, o contexts.Origin) {
	w := atOrigin(e.Wait, o, e)
	w.Own, w.For = own(e, o)
	reach := r.reach(e.fn)
	if o.In != nil && len(r.reach(o.In)) > 0 {
		reach = r.reach(o.In)
	}
	if len(reach) == 0 {
		return // nothing to inherit: judged with the rest
	}
	at := r.callAt(w.In, w.Src)
	if o.In != nil && o.In != e.fn && len(r.reach(o.In)) == 0 {
		r.answer(e, o.Pos)
		w.Src, w.In = e.call.Common().Pos(), e.fn // made where there was nothing to inherit: the frontier is here
	}
	quiet := r.quiet(e, at)
	switch {
	case o.Handle:
		r.judgeHandle(c, e, w, reach, quiet)
	case w.Own && (quiet || e.Async || o.Kind == contexts.Uncancelled || r.flow.perhapsOver(e.call)):
		return // a clean-up, a detach with a bound of its own, a last step after a loop that the context may have ended
	case w.Own && (r.flow.perItem(e.call) || at != nil && r.flow.perItem(at)):
		return // one item of a loop, bounded: the loop's context says when to stop taking items
	case w.Own && r.ctx.Timeless(reach[0]):
		return // what is in reach never has less time left
	case w.Default && !o.Bound.Own:
		c.add(r.verdict("detached", "default", w, o.Name, reach)) // the library's bound was nobody's choice here
	case w.Own:
		c.add(r.verdict("fixedtimeout", "root", w, o.Name, reach))
	case e.Meant && e.Async, e.Async && w.In != nil && callsPipe(w.In):
		return // made to outlast the call; an upload that lives as long as its writer
	case e.Left:
		return // whoever has started it gives it a while, and goes on without it
	case takenOver(e.call, hijacks):
		return // the request's context is no use for its connection
	case w.Name == unnamed:
		return // an element of something: whether it waits, nobody can tell
	case o.Kind == contexts.Uncancelled && quiet:
		return // detached by name: a clean-up
	case (o.Kind == contexts.Uncancelled || o.Kind == contexts.Never) && !e.Known:
		return // detached by name, or the one context at hand: and given to what is only taken to wait
	case quiet && e.Known && !e.Meant:
		c.add(r.verdict("unbounded", "cleanup", w, o.Name, nil)) // what could be inherited is over
	case !quiet && o.Kind == contexts.Uncancelled && (e.Async || r.spelledDetach(w.Src)):
		c.add(r.verdict("detached", "spelled", w, o.Name, reach))
	case !quiet && e.Lookup:
		c.add(r.verdict("detached", "lookup", w, o.Name, reach)) // which the system's resolver gives up
	case !quiet:
		c.add(r.verdict("detached", kindOfRoot(o), w, o.Name, reach))
	}
}

func kindOfRoot(o contexts.Origin) string {
	switch o.Kind {
	case contexts.Uncancelled:
		return "uncancelled"
	case contexts.Never:
		return "never"
	}
	return "root"
}

// judgeHandle judges a request, command or session made without a context.
func (r *Result) judgeHandle(c *court, e effect, w Wait, reach []contexts.Carrier, quiet bool) {
	switch {
	case quiet || w.Own && (e.Async || r.ctx.Timeless(reach[0])) || w.Process && e.Async:
		return // a clean-up, detached with a bound, beside what never has less time left, or a command that is left to run
	case leavesOut(w):
		c.add(r.verdict("ctxless", "default", w, w.Name, reach))
	case w.Own && len(w.Via) > 0:
		c.add(r.verdict("fixedtimeout", "helper", w, w.Name, reach))
	case w.Own:
		c.add(r.verdict("fixedtimeout", "call", w, w.Name, reach))
	default:
		c.add(r.verdict("ctxless", "call", w, w.Name, reach))
	}
}

// judgeCall judges a wait that no context given here can end, at the last call where a carrier is in reach.
func (r *Result) judgeCall(c *court, e effect, reach []contexts.Carrier) {
	w := e.Wait
	if w.Deaf {
		r.deaf.judgeCall(c, e, reach)
		return
	}
	if r.reachedElsewhere(e) {
		return // a carrier was in reach further down: judged there
	}
	switch {
	case w.In == e.fn && fallback(e.call):
		return // the value has no method that takes the context
	case w.Conn && takenOver(e.call, hijacks):
		return // the request's context hears nothing of the connection any more
	case typeset.IsRequest(carrierType(reach[0])) && takenOver(e.call, upgrades):
		return // and ends with nothing but the handler's own return
	case w.Meant && !w.Own:
		return // Serve, Accept, Subscribe: ended by what ends the server or the subscription
	case w.Cleanup || r.quiet(e, nil):
		return // a clean-up, or nothing left to inherit
	case w.Own && (e.Async || r.flow.perItem(e.call) || r.ctx.Timeless(reach[0])):
		return // detached, one item of a loop, or beside what never has less time left, with a bound
	case e.Async && w.In != e.fn, e.below:
		return // a goroutine that the callee starts and nobody waits for: it has nothing to inherit
	}
	v := r.verdict("ctxless", "call", w, w.Name, reach)
	switch {
	case w.Name == timed:
		v = r.verdict("fixedtimeout", "timer", w, w.Name, reach)
	case leavesOut(w):
		v = r.verdict("ctxless", "default", w, w.Name, reach)
	case w.Own:
		v = r.verdict("fixedtimeout", "call", w, w.Name, reach)
	case w.End == ByRoot:
		v = r.verdict("detached", "root", w, w.Root, reach)
	}
	if w.In != e.fn { // the frontier: the call here, not the API below
		v.Pos, v.In = e.call.Common().Pos(), e.fn
		if v.Rule == "ctxless" && len(w.Via) > 0 {
			v.Subject = w.Via[0]
		}
	}
	if v.Rule == "fixedtimeout" && v.Kind == "call" && len(w.Via) > 0 {
		v.Kind = "helper" // to mend it, the helper has to be given a context
	}
	r.answer(e, w.Src)
	if (w.End == ByRoot || w.Name == timed || w.Own && !w.Wrapper) && w.In != e.fn {
		c.front(w, v)
		return
	}
	c.add(v)
}

// answer notes that a wait is answered for by a function with a carrier, so that nobody reports it where it stands.
func (r *Result) answer(e effect, src token.Pos) {
	r.answered[src] = true
	for _, body := range e.Bodies {
		for _, w := range r.sums[body].waits.sorted() {
			if w.End != ByParam {
				r.answered[w.Src] = true
			}
		}
	}
}

// reachedElsewhere reports whether the wait's own function has a carrier in reach.
func (r *Result) reachedElsewhere(e effect) bool {
	return e.In != nil && e.In != e.fn && len(r.reach(e.In)) > 0
}

// oneShot reports whether fn runs once, in a program's foreground, or helps tests: nobody is kept waiting but who started it.
func (r *Result) oneShot(fn *ssa.Function) bool {
	return r.entries.OneShot(fn) || r.entries.TestHelper() || r.entries.CommandLine()
}
