// Package queue is where the calls of the simulator wait for a server: first in, first out without limit, and what is used in
// its place against overload. None of them knows a deadline; that is looked at by who takes out.
package queue

import "time"

// A Discipline says who is let in, who is next and who has waited too long. The zero value is first in, first out, without
// limit.
type Discipline struct {
	Name string
	// Limit is how many may wait; 0 is no limit, and a negative one that nobody waits.
	Limit int
	// LIFO serves the newest first.
	LIFO bool
	// Target and Interval are those of the controlled delay that Facebook put in the place of CoDel for requests (Maurer, "Fail
	// at Scale", ACM Queue 13(8), 2015; 5 ms and 100 ms there): an entry may wait for Interval or, if the queue has not been
	// empty for that long, only for Target. It answers at once to a queue that stands, where CoDel's square root waits for
	// senders who slow down, which requests do not. 0 is no such thing.
	Target, Interval time.Duration
}

// An Entry is one who waits.
type Entry[J any] struct {
	Job   J
	Since time.Duration
	may   time.Duration // how long, by the controlled delay; 0 is for ever
	gone  bool
}

// A Queue waits by a discipline. Use New.
type Queue[J any] struct {
	d       Discipline
	entries []*Entry[J]
	head    int
	live    int
	emptied time.Duration // when it was last empty
}

// New is an empty queue.
func New[J any](d Discipline) *Queue[J] { return &Queue[J]{d: d} }

// Len is how many wait.
func (q *Queue[J]) Len() int { return q.live }

// Put lets j in at now, or returns nil.
func (q *Queue[J]) Put(now time.Duration, j J) *Entry[J] {
	if q.d.Limit != 0 && q.live >= q.d.Limit {
		return nil
	}
	if q.live == 0 {
		q.emptied = now
	}
	e := &Entry[J]{Job: j, Since: now}
	if q.d.Interval > 0 {
		e.may = q.d.Interval
		if now-q.emptied > q.d.Interval {
			e.may = q.d.Target
		}
	}
	q.entries = append(q.entries, e)
	q.live++
	return e
}

// Leave takes e out, wherever it stands.
func (q *Queue[J]) Leave(e *Entry[J]) {
	if !e.gone {
		e.gone = true
		q.live--
	}
}

// Take takes out who is next at now, and whether its wait was longer than the discipline allows. It returns nil if nobody waits.
func (q *Queue[J]) Take(now time.Duration) (e *Entry[J], overdue bool) {
	for e == nil || e.gone {
		if q.head == len(q.entries) {
			q.entries, q.head = q.entries[:0], 0
			return nil, false
		}
		e = q.pop()
	}
	e.gone = true
	q.live--
	if q.live == 0 {
		q.emptied = now
	}
	return e, e.may > 0 && now-e.Since > e.may
}

// pop takes out the entry whose turn it is, those included that have left.
func (q *Queue[J]) pop() *Entry[J] {
	if q.d.LIFO {
		last := len(q.entries) - 1
		e := q.entries[last]
		q.entries[last] = nil
		q.entries = q.entries[:last]
		return e
	}
	e := q.entries[q.head]
	q.entries[q.head] = nil
	q.head++
	if q.head > 1024 && q.head > len(q.entries)/2 {
		q.entries = append(q.entries[:0], q.entries[q.head:]...)
		q.head = 0
	}
	return e
}
