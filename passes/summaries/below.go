package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// judgeBelow judges the pause of a function that has the context, hears it nowhere in the pause, and does nothing else that takes time: a
// loop of the package that repeats or polls calls it between its rounds. The place to mend is the pause.
func (r *Result) judgeBelow(c *court, e effect) {
	if len(r.reach(e.fn)) == 0 || !r.onlyPauses(e.fn) {
		return // its callers are judged; its pause is part of some work
	}
	for _, s := range r.callers[e.fn] {
		call, ok := s.in.(*ssa.Call)
		if !ok {
			continue // the loop goes on at once
		}
		if l := r.roundOf(call); l != nil && l.Retries() {
			w := e.Wait
			w.In = e.fn
			r.judgePause(c, w, e.call, l)
			return // one a pause
		}
	}
}

// pausesBelow reports whether a call pauses in a function that has the context, which judgeBelow judges.
func (r *Result) pausesBelow(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	return fn != nil && r.sums[fn] != nil && len(r.reach(fn)) > 0 && r.onlyPauses(fn)
}

// onlyPauses reports whether fn pauses, and nothing else in it takes time.
func (r *Result) onlyPauses(fn *ssa.Function) bool {
	pauses := false
	for call := range ssawalk.Calls(fn) {
		for _, e := range r.effects(fn, call) {
			if !e.Pause {
				return false
			}
			pauses = true
		}
	}
	return pauses
}
