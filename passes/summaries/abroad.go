package summaries

import "slices"

// A wait that a fact tells of stands at the call that has the fact: of a function of another package, or of an interface whose
// implementers are in sight. What implements an interface may wait for its own goroutines or not, and they need not agree on that.

// waitsAbroad reports whether a wait is known by a fact, and all that the call may run wait for other goroutines.
func (d *deaf) waitsAbroad(e effect) bool {
	if len(e.Via) == 0 {
		return false
	}
	for _, body := range e.Bodies {
		sum := d.r.sums[body]
		if sum == nil || !slices.ContainsFunc(sum.waits.sorted(), func(w Wait) bool { return w.Deaf && !w.Async }) {
			return false
		}
	}
	return true
}
