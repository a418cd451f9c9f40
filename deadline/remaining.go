package deadline

import (
	"context"
	"math"
	"time"
)

// Remaining is the time left until the deadline of ctx: 0 or less once it is up. Without a deadline it is 0 and false; that is
// no limit, not no time, so look at ok first. It allocates nothing.
func Remaining(ctx context.Context) (d time.Duration, ok bool) {
	end, ok := ctx.Deadline()
	if !ok {
		return 0, false
	}
	return time.Until(end), true
}

// Enough reports whether ctx goes on and leaves at least need. Without a deadline any need is met. It is the test for hot
// paths, before a stage that is not worth beginning, and allocates nothing.
func Enough(ctx context.Context, need time.Duration) bool {
	if ctx.Err() != nil {
		return false
	}
	left, ok := Remaining(ctx)
	return !ok || left > 0 && left >= need
}

// Check is Enough with the reason: nil, or an [*Error] that says whether the time is up or only too short, or context.Canceled
// if the caller went away. It is for the border between two stages of one request, as the SRE book asks for: parsed, before
// the lookup; looked up, before the rendering. It allocates nothing, so its errors hold no times, but for a context that ended
// with a cause of somebody else's, which is kept.
func Check(ctx context.Context, need time.Duration) error {
	if err := ctx.Err(); err != nil {
		return ended(ctx, err)
	}
	left, ok := Remaining(ctx)
	switch {
	case !ok:
		return nil
	case left <= 0: // the timer of ctx is late
		return errExpired
	case left < need:
		return errBelowMinimum
	}
	return nil
}

// sum adds durations of 0 or more, and stays at the longest there is.
func sum(ds ...time.Duration) time.Duration {
	var total time.Duration
	for _, d := range ds {
		if d > math.MaxInt64-total {
			return math.MaxInt64
		}
		total += d
	}
	return total
}
