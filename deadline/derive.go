package deadline

import (
	"context"
	"errors"
	"math/bits"
	"time"
)

var (
	errBound = errors.New("the bound is not more than 0")
	errShare = errors.New("a share is part of whole, with 0 < part <= whole")
)

// Within derives a context that ends after d, or with ctx, whichever is earlier: Policy{Cap: d}.Start. It takes the place of
// context.WithTimeout(context.Background(), d) where a caller's context is in reach. A d of 0 or less is a BadPolicy: what
// names a bound is never without one.
func Within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc, error) {
	if d <= 0 {
		return refuse(ctx, Error{Op: "Within", Reason: BadPolicy, Last: errBound})
	}
	return Policy{Cap: d}.Start(ctx)
}

// Hold derives a context that ends reserve earlier than ctx, so that the caller can still answer, or clean up, under ctx when
// the work below has run out of time. If no more than reserve is left, that is BelowMinimum. Without a deadline there is
// nothing to hold back from, and the call is counted as unbounded.
func Hold(ctx context.Context, reserve time.Duration) (context.Context, context.CancelFunc, error) {
	return Policy{Reserve: reserve}.Start(ctx)
}

// Share derives a context that ends after part/whole of the time left: for phases in sequence, each of which must leave
// something to the next. Shares are of what is left now, so three equal phases are 1 of 3, 1 of 2 and all the rest. Without a
// deadline there is nothing to share, and the call is counted as unbounded. A share that is none is a BadPolicy.
func Share(ctx context.Context, part, whole int) (context.Context, context.CancelFunc, error) {
	if part <= 0 || part > whole {
		return refuse(ctx, Error{Op: "Share", Reason: BadPolicy, Last: errShare})
	}
	left, ok := Remaining(ctx)
	if !ok || left <= 0 || part == whole {
		return Policy{}.Start(ctx)
	}
	return Policy{Cap: max(1, fraction(left, part, whole))}.Start(ctx)
}

// fraction is d*part/whole, rounded down, for 0 < d and 0 < part <= whole, of any size.
func fraction(d time.Duration, part, whole int) time.Duration {
	hi, lo := bits.Mul64(uint64(d), uint64(part))
	q, _ := bits.Div64(hi, lo, uint64(whole)) // hi < whole, since d < 2^64 and part <= whole
	return time.Duration(q)
}

// Detach derives a context for work that goes on after the request, such as a log line or a refund: the values of ctx stay,
// its cancellation and its deadline do not, and the work ends after d instead. With a d of 0 or less it has ended already: a
// detached context is never without a bound.
func Detach(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(context.WithoutCancel(ctx), d, errCap)
}

// Grace derives a context that lives d longer than ctx: for checkpoints and clean-ups that must not be cut off together with
// the work. The d begins when ctx ends, not now. With a deadline above, the end is known and is the deadline of the new
// context. It ends as ctx did: with DeadlineExceeded after a deadline, and after a cancellation with Canceled, its cause an
// [*Error].
//
// Of a context that was cancelled before, nothing says when: its d begins now. With a d of 0 or less the two end together.
func Grace(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	child, cancelCause := context.WithCancelCause(context.WithoutCancel(ctx))
	cancel := func() { cancelCause(nil) }
	end, bounded := ctx.Deadline()
	if bounded {
		child, cancel = context.WithDeadlineCause(child, end.Add(d), errCap)
	}
	stop := context.AfterFunc(ctx, func() {
		if bounded && ctx.Err() == context.DeadlineExceeded {
			return // the deadline of child says when
		}
		wait := time.NewTimer(d)
		defer wait.Stop()
		select {
		case <-wait.C:
			cancelCause(errCap)
		case <-child.Done():
		}
	})
	return child, func() {
		stop()
		cancel()
		cancelCause(nil)
	}
}
