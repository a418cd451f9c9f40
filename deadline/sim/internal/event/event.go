// Package event is the clock of the simulator: what is to happen, in order of time. Two things at the same moment happen in the
// order in which they were asked for, so a run depends on its seed and on nothing else.
package event

import "time"

// A Queue holds what is to happen. Its clock starts at 0 and moves only when the next thing is taken out. The zero value is
// ready for use.
type Queue[E any] struct {
	now  time.Duration
	asks uint64
	heap []entry[E]
}

type entry[E any] struct {
	at   time.Duration
	turn uint64
	what E
}

func (a *entry[E]) before(b *entry[E]) bool {
	return a.at < b.at || a.at == b.at && a.turn < b.turn
}

// Now is the virtual time, since the start.
func (q *Queue[E]) Now() time.Duration { return q.now }

// At asks for what to happen at a time. One that has passed is now.
func (q *Queue[E]) At(at time.Duration, what E) {
	q.asks++
	q.heap = append(q.heap, entry[E]{max(at, q.now), q.asks, what})
	i := len(q.heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !q.heap[i].before(&q.heap[parent]) {
			break
		}
		q.heap[i], q.heap[parent] = q.heap[parent], q.heap[i]
		i = parent
	}
}

// Next takes out what happens next and moves the clock there; it is false if nothing does, or nothing until limit.
func (q *Queue[E]) Next(limit time.Duration) (what E, ok bool) {
	if len(q.heap) == 0 || q.heap[0].at > limit {
		return what, false
	}
	first := q.heap[0]
	last := len(q.heap) - 1
	q.heap[0] = q.heap[last]
	q.heap[last] = entry[E]{} // lets go of what it points to
	q.heap = q.heap[:last]
	q.sink()
	q.now = first.at
	return first.what, true
}

// sink puts the first entry where it belongs.
func (q *Queue[E]) sink() {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(q.heap) {
			return
		}
		if right := child + 1; right < len(q.heap) && q.heap[right].before(&q.heap[child]) {
			child = right
		}
		if !q.heap[child].before(&q.heap[i]) {
			return
		}
		q.heap[i], q.heap[child] = q.heap[child], q.heap[i]
		i = child
	}
}
