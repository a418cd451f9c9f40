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
	// Most of what is asked for is asked for with the same few delays, and comes in order by itself: each run is in order, and what
	// fits behind none goes to the heap.
	runs [4]run[E]
}

// A run is entries in order, from first on.
type run[E any] struct {
	entries []entry[E]
	first   int
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
	e := entry[E]{max(at, q.now), q.asks, what}
	var best *run[E] // whose last is the nearest
	for i := range q.runs {
		r := &q.runs[i]
		if r.empty() || r.last().at > e.at {
			continue
		}
		if best == nil || r.last().at > best.last().at {
			best = r
		}
	}
	for i := range q.runs {
		if r := &q.runs[i]; best == nil && r.empty() {
			best = r
		}
	}
	if best == nil {
		q.push(e)
		return
	}
	best.entries = append(best.entries, e)
}

func (r *run[E]) empty() bool     { return r.first == len(r.entries) }
func (r *run[E]) last() *entry[E] { return &r.entries[len(r.entries)-1] }

// take takes out the first entry.
func (r *run[E]) take() entry[E] {
	e := r.entries[r.first]
	r.entries[r.first] = entry[E]{} // lets go of what it points to
	r.first++
	if r.first > 64 && r.first > len(r.entries)/2 {
		r.entries = append(r.entries[:0], r.entries[r.first:]...)
		r.first = 0
	}
	return e
}

// push puts e into the heap.
func (q *Queue[E]) push(e entry[E]) {
	q.heap = append(q.heap, e)
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
	var first *entry[E]
	if len(q.heap) > 0 {
		first = &q.heap[0]
	}
	var from *run[E]
	for i := range q.runs {
		if r := &q.runs[i]; !r.empty() && (first == nil || r.entries[r.first].before(first)) {
			from, first = r, &r.entries[r.first]
		}
	}
	if first == nil || first.at > limit {
		return what, false
	}
	var e entry[E]
	if from != nil {
		e = from.take()
	} else {
		e = q.pop()
	}
	q.now = e.at
	return e.what, true
}

// pop takes out the first of the heap.
func (q *Queue[E]) pop() entry[E] {
	first := q.heap[0]
	last := len(q.heap) - 1
	q.heap[0] = q.heap[last]
	q.heap[last] = entry[E]{} // lets go of what it points to
	q.heap = q.heap[:last]
	q.sink()
	return first
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
