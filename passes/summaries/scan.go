package summaries

import (
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// scan brings the summary of fn up to date and reports whether it changed.
func (r *Result) scan(fn *ssa.Function) bool {
	sum := r.sums[fn]
	changed := false
	if !sum.scanned {
		sum.scanned, sum.funcs = true, r.paramCalls(fn)
		changed = len(sum.funcs) > 0
		for _, w := range append(r.rounds(fn), r.timedBelow(fn)...) {
			changed = sum.waits.add(w) || changed
		}
	}
	for c := range ssawalk.Calls(fn) {
		if r.used[c].fresh() {
			continue // nothing that it rests on has changed
		}
		r.current = new(uses)
		for _, e := range r.effects(fn, c) {
			for _, w := range r.above(e) {
				changed = sum.waits.add(w) || changed
			}
		}
		r.used[c], r.current = r.current, nil
	}
	if changed {
		sum.version++
	}
	return changed
}

// uses is which summaries the effects of a call rest on, and how they stood when it was last looked at.
type uses struct {
	sums     []*summary
	versions []int
}

func (u *uses) fresh() bool {
	if u == nil {
		return false
	}
	for i, s := range u.sums {
		if s.version != u.versions[i] {
			return false
		}
	}
	return true
}

func (u *uses) add(s *summary) {
	if u != nil {
		u.sums, u.versions = append(u.sums, s), append(u.versions, s.version)
	}
}

// above returns the waits that an effect is for the callers of its function. What a carrier in reach could have ended is
// judged here and is none of theirs.
func (r *Result) above(e effect) []Wait {
	if w, ok := r.wrapper(e); ok {
		return []Wait{w}
	}
	if r.flow.cancelled(e.call) {
		return nil // under a context that this function has just ended: it does not wait
	}
	if e.Deaf && e.Async {
		return nil // who joins the goroutine waits by a wait of its own
	}
	if e.End != ByParam {
		if len(r.reach(e.fn)) > 0 {
			return nil
		}
		w := e.Wait
		w.Cleanup = w.Cleanup || r.flow.cleansUp(e.call)
		return []Wait{w}
	}
	var out []Wait
	for _, o := range e.set {
		w := e.Wait
		w.Own, w.For = own(e, o)
		r.noteKept(w, o)
		switch {
		case o.Kind == contexts.Param:
			w.Param = o.Param
			out = append(out, w)
		case !bad(o) || r.inReach(e, o):
			continue
		default:
			w = atOrigin(w, o, e)
			w.Cleanup = w.Cleanup || r.quiet(e, r.callAt(w.In, w.Src))
			out = append(out, w)
		}
	}
	return out
}

// bad reports whether an origin neither inherits nor is unknown.
func bad(o contexts.Origin) bool {
	switch o.Kind {
	case contexts.Root, contexts.Uncancelled, contexts.Never:
		return true
	}
	return false // a lifetime is judged where it is used
}

// inReach reports whether a carrier was in reach where the context was made, or where it is used.
func (r *Result) inReach(e effect, o contexts.Origin) bool {
	return len(r.reach(e.fn)) > 0 || o.In != nil && len(r.reach(o.In)) > 0
}

// atOrigin is a wait under a context made on the spot, to be mended where that was made.
func atOrigin(w Wait, o contexts.Origin, e effect) Wait {
	w.End, w.Root = ByRoot, o.Name
	if o.Handle {
		w.End = ByNothing
	}
	if !o.Pos.IsValid() { // a shared session, a framework's value: mended where it is used
		w.Src, w.In = e.call.Common().Pos(), e.fn
		return w
	}
	w.Src, w.In = o.Pos, o.In
	if o.Handle {
		w.Name, w.Use = o.Name, o.Use
	}
	return w
}

// own returns the bound of a wait under an origin: the tighter of the callee's and the context's.
func own(e effect, o contexts.Origin) (bool, time.Duration) {
	b := contexts.Bound{Own: e.Own, For: e.For}.Min(o.Bound)
	return b.Own, b.For
}

// wrapper is a function that only hands a root to its context twin: an API without a context, its callers' business.
func (r *Result) wrapper(e effect) (Wait, bool) {
	if e.End != ByParam || !e.set.Has(contexts.Root) || e.fn.Object() == nil || len(r.reach(e.fn)) > 0 {
		return Wait{}, false
	}
	callee := calleeName(e.call)
	if !isTwin(e.fn.Name(), callee) {
		return Wait{}, false
	}
	var o contexts.Origin
	for _, x := range e.set {
		if x.Kind == contexts.Root {
			o = x
		}
	}
	w := e.Wait
	w.End, w.Wrapper, w.Name, w.Use = ByNothing, true, contexts.DisplayName(e.fn.Object().(*types.Func)), callee
	w.Own, w.For = own(e, o)
	w.Src, w.In, w.Via, w.Path = e.call.Common().Pos(), e.fn, nil, nil
	return w, true
}

// isTwin reports whether the function called long is the form with a context of the one called short.
func isTwin(short, long string) bool {
	for _, suffix := range [...]string{"Context", "WithContext", "Ctx", "WithCtx", "Tx"} {
		if strings.EqualFold(short+suffix, long) {
			return true
		}
	}
	return false
}

func calleeName(c ssa.CallInstruction) string {
	if c.Common().IsInvoke() {
		return c.Common().Method.Name()
	}
	if f := c.Common().StaticCallee(); f != nil {
		if f.Origin() != nil {
			f = f.Origin()
		}
		return f.Name()
	}
	return ""
}

// reach returns the carriers in reach of fn that something may end.
func (r *Result) reach(fn *ssa.Function) []contexts.Carrier {
	if c, ok := r.reaches[fn]; ok {
		return c
	}
	c := r.alive(fn, r.ctx.Reach(fn))
	r.reaches[fn] = c
	return c
}
