package deadline

import (
	"context"
	"errors"
	"time"
)

// An Item is work in a queue, together with the context it belongs to and the moment it was put in. The time in the queue is
// time of the request: an overloaded server that looks at the deadline only when work is put in works through a backlog that
// nobody waits for any more.
type Item[T any] struct {
	Value    T
	Enqueued time.Time
	ctx      context.Context
}

// Stamp is v as work of ctx, put into a queue now.
func Stamp[T any](ctx context.Context, v T) Item[T] {
	return Item[T]{Value: v, Enqueued: time.Now(), ctx: ctx}
}

// Deadline is when the work is of no more use, as with a context.
func (it Item[T]) Deadline() (time.Time, bool) { return it.context().Deadline() }

// context is that of the item; an item that was not stamped has no deadline.
func (it Item[T]) context() context.Context {
	if it.ctx == nil {
		return context.Background()
	}
	return it.ctx
}

// Take is to be called when the work is taken out of its queue: it derives the context of the work, as p.Start does from the
// context that the work was stamped with. If its time is up, or what is left is less than p needs, that is QueueExpired; if its
// caller went away, context.Canceled. Dropping allocates nothing and tells no times in its error; the observer hears them.
func (it Item[T]) Take(p Policy) (context.Context, context.CancelFunc, error) {
	ctx := it.context()
	if !it.Enqueued.IsZero() {
		tell(ctx, nil, Event{Kind: TimeQueueWait, Name: p.Name, Time: time.Since(it.Enqueued)})
	}
	left, bounded := Remaining(ctx)
	switch err := ctx.Err(); {
	case err != nil && err != context.DeadlineExceeded:
		tell(ctx, nil, Event{Kind: CountQueueDropped, Name: p.Name, Label: "gone"})
		return ctx, nothing, err
	case err != nil, bounded && left <= 0:
		tell(ctx, nil, Event{Kind: CountQueueDropped, Name: p.Name, Label: "expired", Time: left})
		return overdue, nothing, errQueueExpired
	case bounded && p.bad() == nil && (left <= p.Reserve || left-p.Reserve < p.Min):
		tell(ctx, nil, Event{Kind: CountQueueDropped, Name: p.Name, Label: "minimum", Time: left})
		return overdue, nothing, errQueueExpired
	}
	return p.Start(ctx)
}

// overdue is the context of work that was dropped.
var overdue context.Context = &refused{context.Background(), *errQueueExpired}

// ErrClosed is that a queue is closed and empty.
var ErrClosed = errors.New("deadline: the queue is closed")

// Receive takes the next item out of ch whose work is still of use, by [Item.Take], and drops those before it. It waits as
// long as ctx lives, which is the context of the worker and not of the work: ending it ends the wait, and no work. Its error is
// [ErrClosed] if ch is closed, that of ctx if it ended, or the mistake in the program: BadPolicy, or the NoDeadline of work that
// was stamped without the deadline that p requires. With a mistake comes the value too, since it has left its queue.
func Receive[T any](ctx context.Context, ch <-chan Item[T], p Policy) (work context.Context, cancel context.CancelFunc, v T, err error) {
	var none T
	for {
		if err := ctx.Err(); err != nil { // select chooses at random where both are ready
			return ctx, nothing, none, ended(ctx, err)
		}
		select {
		case <-ctx.Done():
			return ctx, nothing, none, ended(ctx, ctx.Err())
		case it, ok := <-ch:
			if !ok {
				return ctx, nothing, none, ErrClosed
			}
			work, cancel, err := it.Take(p)
			if err == nil {
				return work, cancel, it.Value, nil
			}
			if errors.Is(err, BadPolicy) || errors.Is(err, NoDeadline) { // not too late, and not to be lost silently
				return work, cancel, it.Value, err
			}
		}
	}
}
