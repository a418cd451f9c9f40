package deadline

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A Gate lets only so much work run at a time, and refuses who cannot be served in time: at once if the wait for those before
// will take longer than the caller has, and while waiting as soon as what is left would not do for the work. Who waits in vain
// takes nobody's place meanwhile.
//
// The wait is judged by how fast places came free of late, while somebody waited for them. Set the fields before the first
// use; a Gate must not be copied after it.
type Gate struct {
	// Size is how much may run at a time, in units of the caller's choice.
	Size int64
	// Need is what the work takes once it has its place, with what the caller keeps to answer. 0 asks only that the time is
	// not up.
	Need time.Duration
	// LIFO is the length of the queue above which the newest is served first: under such pressure the oldest have the least
	// time left, and to serve them in order is to serve everybody too late. 0 is never.
	LIFO int
	// Name is the gate, in metrics.
	Name string
	// Observer is told of waits and refusals; nil is that of the process.
	Observer Observer

	mu      sync.Mutex
	used    int64
	waiting int64 // units
	queue   []*waiter
	freed   time.Time     // when a place last came free while somebody waited
	perUnit time.Duration // how long a unit takes to come free then, averaged
}

type waiter struct {
	n     int64
	ready chan struct{} // closed when the place is there
}

var (
	errGate     = errors.New("the weight is not between 1 and the size of the gate")
	errGateNeed = errors.New("Need cannot be negative")
)

// Acquire waits for n units, and is to be followed by Release(n) if it returns nil. It returns BelowMinimum if the wait, and
// the work after it, do not fit in the time of ctx, QueueExpired if that showed only in the queue, or context.Canceled if the
// caller went away. Without a deadline it waits as long as ctx lives. Refusing allocates nothing.
func (g *Gate) Acquire(ctx context.Context, n int64) error {
	if err := ctx.Err(); err != nil {
		return ended(ctx, err)
	}
	if n <= 0 || n > g.Size {
		return &Error{Op: g.Name, Reason: BadPolicy, Last: errGate}
	}
	if g.Need < 0 {
		return &Error{Op: g.Name, Reason: BadPolicy, Last: errGateNeed}
	}
	left, bounded := Remaining(ctx)
	g.mu.Lock()
	free := len(g.queue) == 0 && g.used+n <= g.Size
	if bounded && (left <= 0 || left < g.Need || !free && left-g.Need < g.ahead(n)) {
		g.mu.Unlock()
		tell(ctx, g.Observer, Event{Kind: CountBelowMinimum, Name: g.Name, Label: "gate", Time: left})
		return errBelowMinimum
	}
	if free {
		g.used += n
		g.mu.Unlock()
		return nil
	}
	w := &waiter{n, make(chan struct{})}
	g.queue = append(g.queue, w)
	g.waiting += n
	if len(g.queue) == 1 {
		g.freed = time.Now() // from now on places that come free tell how fast they do
	}
	g.mu.Unlock()
	return g.wait(ctx, w, left, bounded)
}

// ahead is how long n units will have to wait, as far as is known.
func (g *Gate) ahead(n int64) time.Duration {
	if time.Since(g.freed) > max(time.Second, 16*g.perUnit) {
		// Nobody has waited for long: what was measured then may keep everybody from waiting, and so from measuring anew.
		return 0
	}
	units := g.waiting + n
	if g.LIFO > 0 && len(g.queue) >= g.LIFO {
		units = n // the newest is the next
	}
	if g.perUnit > 0 && units > int64(maxWait/g.perUnit) {
		return maxWait
	}
	return time.Duration(units) * g.perUnit
}

// maxWait is more than anybody waits, and may be added to.
const maxWait = 365 * 24 * time.Hour

// wait is Acquire in the queue. It gives up when only Need is left.
func (g *Gate) wait(ctx context.Context, w *waiter, left time.Duration, bounded bool) error {
	began := time.Now()
	var giveUp <-chan time.Time
	if bounded {
		timer := time.NewTimer(left - g.Need)
		defer timer.Stop()
		giveUp = timer.C
	}
	select {
	case <-w.ready:
	case <-ctx.Done():
		g.leave(w)
		if err := ctx.Err(); err != context.DeadlineExceeded {
			return err
		}
		return g.drop(ctx, began)
	case <-giveUp:
		g.leave(w)
		return g.drop(ctx, began)
	}
	if !Enough(ctx, g.Need) { // the place came, but too late
		g.Release(w.n)
		if err := ctx.Err(); err != nil && err != context.DeadlineExceeded {
			return err
		}
		return g.drop(ctx, began)
	}
	tell(ctx, g.Observer, Event{Kind: TimeQueueWait, Name: g.Name, Time: time.Since(began)})
	return nil
}

// drop is the error of who waited in vain.
func (g *Gate) drop(ctx context.Context, began time.Time) error {
	left, _ := Remaining(ctx)
	tell(ctx, g.Observer, Event{Kind: TimeQueueWait, Name: g.Name, Time: time.Since(began)})
	tell(ctx, g.Observer, Event{Kind: CountQueueDropped, Name: g.Name, Label: "gate", Time: left})
	return errQueueExpired
}

// leave takes w out of the queue, or gives back the place that it was given at the same moment.
func (g *Gate) leave(w *waiter) {
	g.mu.Lock()
	for i, other := range g.queue {
		if other == w {
			g.remove(i)
			g.serve() // w may have been in the way of a smaller one
			g.mu.Unlock()
			return
		}
	}
	g.mu.Unlock()
	g.Release(w.n)
}

// Release gives back n units. To give back more than was acquired is a mistake of the caller, and panics.
func (g *Gate) Release(n int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n < 0 || n > g.used {
		panic("deadline: Gate.Release of more than was acquired")
	}
	g.used -= n
	if len(g.queue) > 0 && n > 0 {
		now := time.Now()
		g.perUnit = average(g.perUnit, now.Sub(g.freed)/time.Duration(n))
		g.freed = now
	}
	g.serve()
}

// serve gives the free places to those whose turn it is. One that is too large for what is free keeps those behind it waiting:
// else it might wait for ever.
func (g *Gate) serve() {
	for len(g.queue) > 0 {
		i := 0
		if g.LIFO > 0 && len(g.queue) > g.LIFO {
			i = len(g.queue) - 1
		}
		w := g.queue[i]
		if g.used+w.n > g.Size {
			return
		}
		g.used += w.n
		g.remove(i)
		close(w.ready)
	}
}

// remove takes the waiter at i out of the queue.
func (g *Gate) remove(i int) {
	g.waiting -= g.queue[i].n
	copy(g.queue[i:], g.queue[i+1:])
	g.queue[len(g.queue)-1] = nil
	g.queue = g.queue[:len(g.queue)-1]
}

// average is a moving average that forgets all but the last dozen or so; the first value is taken as it is.
func average(old, value time.Duration) time.Duration {
	if old == 0 {
		return value
	}
	return old + (value-old)/8
}
