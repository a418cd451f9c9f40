package deadline

import (
	"context"
	"net"
	"time"
)

// Sleep waits for d, if after that at least need will be left. If it will not, it returns at once with BelowMinimum: a wait
// whose end is too late to be of use only holds up the answer. If ctx ends in the meantime, so does the wait, with Expired or,
// if the caller went away, context.Canceled. Without a deadline it is a sleep that ctx can interrupt. A d of 0 or less only
// checks.
func Sleep(ctx context.Context, d, need time.Duration) error {
	d, need = max(d, 0), max(need, 0)
	if err := ctx.Err(); err != nil {
		return ended(ctx, err)
	}
	if left, ok := Remaining(ctx); ok && (left <= 0 || left < sum(d, need)) {
		if left <= 0 {
			return errExpired
		}
		return &Error{Op: "Sleep", Reason: BelowMinimum, Remaining: left, Need: sum(d, need)}
	}
	if d == 0 {
		return nil
	}
	wait := time.NewTimer(d)
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return ended(ctx, ctx.Err())
	}
}

// past is a deadline that has been over for long: setting it wakes whoever waits on the connection.
var past = time.Unix(1, 0)

// Bind makes reads and writes on conn end with ctx: its deadline becomes the connection's, and a cancellation wakes them at
// once. Call stop when the exchange is over: it takes the deadline off again and returns true. If ctx ended first, stop returns
// false and leaves the connection as it is, with a deadline in the past: a message may be half on the way, so close it. Bind
// fails if ctx has ended, or if conn knows no deadlines.
//
// One Bind at a time: the connection has only one deadline.
func Bind(ctx context.Context, conn net.Conn) (stop func() bool, err error) {
	if err := ctx.Err(); err != nil {
		return func() bool { return false }, ended(ctx, err)
	}
	end, _ := ctx.Deadline() // the zero time is no deadline, to both
	if err := conn.SetDeadline(end); err != nil {
		return func() bool { return false }, err
	}
	unwatch := context.AfterFunc(ctx, func() { conn.SetDeadline(past) })
	return func() bool {
		if !unwatch() {
			return false // ctx ended, or stop was called before: the connection is not ours to clear
		}
		if left, ok := Remaining(ctx); ok && left <= 0 {
			return false // ctx is about to hear what the connection has heard already
		}
		return conn.SetDeadline(time.Time{}) == nil
	}, nil
}
