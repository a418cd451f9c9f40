package deadline

import (
	"context"
	"sync/atomic"
	"time"
)

// A Budget is the account of one request: what it is, what it was given, and since when.
type Budget struct {
	Route string        // the route or the job
	Total time.Duration // the time it was given; less if the context had less
	Began time.Time     // when the account was opened
}

// BudgetOf returns the account of the request that ctx belongs to, if [WithBudget] opened one.
func BudgetOf(ctx context.Context) (Budget, bool) {
	a, ok := ctx.Value(accountKey{}).(*account)
	if !ok {
		return Budget{}, false
	}
	return a.Budget, true
}

// WithBudget is for the edge, where a unit of work begins: a request, a message, a job. The context it returns ends after
// total, or with ctx if that is earlier, and holds the account of which the calls below take their shares. A total of 0 or
// less has ended already.
//
// Call cancel when the work has come back, as with defer. Had the context ended before, the time since then is told to the
// observer, as wasted after the deadline or after the caller had gone: the number that shows whether deadlines work here.
func WithBudget(ctx context.Context, total time.Duration, route string) (context.Context, context.CancelFunc) {
	return withBudget(ctx, nil, total, route)
}

// withBudget is WithBudget for an observer of its own.
func withBudget(ctx context.Context, o Observer, total time.Duration, route string) (context.Context, context.CancelFunc) {
	a := new(account)
	a.open(ctx, o, time.Now(), total, route)
	return a, a.close
}

// open begins the account, which must be new, and its context.
func (a *account) open(ctx context.Context, o Observer, now time.Time, total time.Duration, route string) {
	a.Budget, a.observer = Budget{Route: route, Total: total, Began: now}, o
	a.Context, a.cancel = context.WithDeadlineCause(ctx, now.Add(total), errCap)
	if end, ok := a.Context.Deadline(); ok {
		a.Total = min(total, end.Sub(now))
	}
	if watched(o) { // or nobody is told; a deadline says by itself when it was, so that only a cancellation is stamped
		a.unwatch = context.AfterFunc(ctx, a.stamp)
	}
}

type accountKey struct{}

// account is the context of one request, and its bookkeeping: one allocation for both.
type account struct {
	context.Context
	Budget
	observer Observer
	cancel   context.CancelFunc
	unwatch  func() bool
	ended    atomic.Int64 // nanoseconds after Began at which the context ended; 0 as long as it lives
	closed   atomic.Bool
}

// Value finds the account.
func (a *account) Value(key any) any {
	if key == (accountKey{}) {
		return a
	}
	return a.Context.Value(key)
}

// stamp notes when the context ended.
func (a *account) stamp() { a.ended.CompareAndSwap(0, max(1, int64(time.Since(a.Began)))) }

// close ends the context, and tells how long the work went on after its end.
func (a *account) close() {
	if a.closed.Swap(true) {
		return
	}
	err := a.Context.Err()
	a.cancel()
	if a.unwatch == nil {
		return
	}
	a.unwatch()
	now := time.Since(a.Began)
	switch err {
	case nil:
		return
	case context.DeadlineExceeded:
		// The deadline says when, better than a stamp, whose goroutine may have had to wait for its turn.
		left, _ := Remaining(a.Context)
		tell(a, a.observer, Event{Kind: CountLateFinish, Name: a.Route})
		tell(a, a.observer, Event{Kind: TimeWastedAfterDeadline, Name: a.Route, Time: max(0, -left)})
	default:
		at := time.Duration(a.ended.Load())
		if at == 0 {
			at = now // gone this very moment
		}
		tell(a, a.observer, Event{Kind: TimeWastedAfterClientGone, Name: a.Route, Time: now - at})
	}
}

// spent tells which share of its request's budget a call took.
func spent(ctx context.Context, name string, took time.Duration) {
	a, ok := ctx.Value(accountKey{}).(*account)
	if !ok || a.Total <= 0 {
		return
	}
	tell(ctx, a.observer, Event{Kind: ShareOfBudget, Name: name, Time: took, Share: float64(took) / float64(a.Total)})
}
