package deadline

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Retry is how one dependency is asked again, within the budget of the caller. It is a plain value, safe to share; declare
// it once, beside the client of the dependency.
//
// Before each attempt it looks whether the pause, the attempt and the reserve fit in the time left. If they do not, it stops
// at once: the caller hears early, and hears the last real error too. The cancellation of the caller is never retried. That
// one attempt ran into its own limit is retried; that the caller's deadline passed is not.
type Retry struct {
	// Attempts is how often to try in all; 0 is 3.
	Attempts int
	// Backoff is the pause after that many failures; nil is Exponential(50ms, 5s).
	Backoff func(failures int) time.Duration
	// AttemptCap is the longest that one attempt can reasonably take; 0 is none.
	AttemptCap time.Duration
	// Min is what an attempt needs to be of use. Declare the worst case of an attempt here, unless Estimate measures it.
	Min time.Duration
	// Reserve is what the caller keeps of the time left, as in a Policy.
	Reserve time.Duration
	// Split says how the time left is shared out over the attempts.
	Split Split
	// Budget is shared by all callers of the dependency, so that their retries together cannot multiply its load; nil is none.
	Budget *Tokens
	// Estimate is shared by all callers too, and measures what an attempt takes; nil is none. It forbids retries and no first
	// attempts: one that were too high could never be put right again.
	Estimate *Estimate
	// Retryable says which errors another attempt may cure; nil is all but a context that was cancelled below, or a policy
	// that is wrong.
	Retryable func(error) bool
	// Name is the dependency, in errors and metrics.
	Name string
	// Observer is told of refused retries; nil is that of the process.
	Observer Observer
}

// A Split says how the attempts share the time left, beneath AttemptCap.
type Split uint8

const (
	SplitNone       Split = iota // each attempt may use all of it
	SplitEven                    // the time left, over the attempts left
	SplitFirstHeavy              // half of the time left, all of it for the last attempt
)

var errAttempts = errors.New("Attempts cannot be negative")

// Do calls until call succeeds, and at most Attempts times. Its error is that of the last call, an [*Error] around it if time
// was the reason to stop, or context.Canceled and the last error if the caller went away.
func (r Retry) Do(ctx context.Context, call func(context.Context) error) error {
	if r.Attempts < 0 {
		return &Error{Op: r.Name, Reason: BadPolicy, Last: errAttempts}
	}
	if wrong := (&Policy{Cap: r.AttemptCap, Reserve: r.Reserve, Min: r.Min}).bad(); wrong != nil {
		return &Error{Op: r.Name, Reason: BadPolicy, Last: wrong}
	}
	if r.Attempts == 0 {
		r.Attempts = 3
	}
	r.Budget.Request()
	var last error
	for failures := 0; ; {
		err, whole, started := r.attempt(ctx, failures, call)
		switch {
		case err == nil:
			r.Budget.Success()
			return nil
		case !started && failures == 0:
			return err
		case !started: // the pause ended later than it should
			return r.late(ctx, 0, last)
		}
		last = err
		failures++
		if stop := r.stop(ctx, failures, err, whole); stop != nil {
			return stop
		}
		if stop := r.between(ctx, failures, err); stop != nil {
			return stop
		}
	}
}

// attempt makes one attempt in its slice of the time left, and reports whether that slice was all there is. With too little
// time it is not started.
func (r *Retry) attempt(ctx context.Context, failures int, call func(context.Context) error) (err error, whole, started bool) {
	p := Policy{Cap: r.slice(ctx, failures), Reserve: r.Reserve, Min: r.Min, Name: r.Name}
	child, cancel, err := p.Start(ctx)
	if err != nil {
		return err, true, false
	}
	defer cancel()
	end, bounded := ctx.Deadline()
	mine, _ := child.Deadline()
	whole = bounded && !mine.Before(end.Add(-r.Reserve))
	began := time.Now()
	err = call(child)
	took := time.Since(began)
	spent(ctx, r.Name, took)
	if child.Err() != context.Canceled {
		r.Estimate.Add(took)
	}
	return p.classify(ctx, child, err), whole, true
}

// between waits for the next attempt, or returns the error to stop with: the dependency does not want one, or it does not fit,
// or there are no tokens left, or the caller has ended meanwhile.
func (r *Retry) between(ctx context.Context, failures int, err error) error {
	pause, wanted := r.pause(failures, err)
	if !wanted {
		return err
	}
	if late := r.fits(ctx, pause, err); late != nil {
		return late
	}
	if !r.Budget.Retry() {
		tell(ctx, r.Observer, Event{Kind: CountRetryDenied, Name: r.Name, Label: "tokens"})
		return err
	}
	if woken := wait(ctx, pause); woken != nil {
		return r.over(ctx, woken, err)
	}
	return nil
}

// slice is the cap of the next attempt.
func (r *Retry) slice(ctx context.Context, failures int) time.Duration {
	left, ok := Remaining(ctx)
	usable := left - r.Reserve
	if !ok || usable <= 0 {
		return r.AttemptCap
	}
	remaining := r.Attempts - failures
	switch {
	case remaining <= 1:
	case r.Split == SplitEven:
		usable = fraction(usable, 1, remaining)
	case r.Split == SplitFirstHeavy:
		usable /= 2
	}
	usable = max(usable, r.Min, 1)
	if usable >= left-r.Reserve {
		return r.AttemptCap // all that is left: the deadline itself is the bound
	}
	if r.AttemptCap > 0 {
		usable = min(usable, r.AttemptCap)
	}
	return usable
}

// stop is the error to return if no further attempt can help, or nil.
func (r *Retry) stop(ctx context.Context, failures int, err error, whole bool) error {
	if ended := ctx.Err(); ended != nil {
		return r.over(ctx, ended, err)
	}
	var e *Error
	switch {
	case errors.As(err, &e) && whole && (e.Whole || e.Reason == BelowMinimum):
		// The attempt had all the time there is, and somebody below says that it is not enough: the next would have less.
		tell(ctx, r.Observer, Event{Kind: CountRetryDenied, Name: r.Name, Label: "fit"})
		return err
	case !r.retryable(err):
		return err
	}
	r.Budget.Failure()
	if failures >= r.Attempts {
		return err
	}
	return nil
}

func (r *Retry) retryable(err error) bool {
	if r.Retryable != nil {
		return r.Retryable(err)
	}
	return !errors.Is(err, context.Canceled) && !errors.Is(err, NoDeadline) && !errors.Is(err, BadPolicy)
}

// over is the error of a retry whose caller has ended with why.
func (r *Retry) over(ctx context.Context, why, last error) error {
	if why != context.DeadlineExceeded {
		if errors.Is(last, context.Canceled) {
			return last
		}
		return fmt.Errorf("%w: %w", context.Canceled, last)
	}
	var e *Error
	if errors.As(last, &e) && e.Whole && e.Reason == Expired {
		return last // says so already
	}
	left, _ := Remaining(ctx)
	return &Error{Op: r.Name, Reason: Expired, Remaining: left, Over: max(0, -left), Whole: true, Last: last}
}

// pause is how long to wait before the next attempt: what the dependency asks for, if that is longer than the back-off. It is
// false if the dependency asks for no further attempt.
func (r *Retry) pause(failures int, err error) (time.Duration, bool) {
	backoff := r.Backoff
	if backoff == nil {
		backoff = Exponential(50*time.Millisecond, 5*time.Second)
	}
	pause := max(backoff(failures), 0)
	if asked, ok := pushBack(err); ok {
		if asked < 0 {
			return 0, false
		}
		pause = max(pause, asked)
	}
	return pause, true
}

// fits is nil if pause, attempt and reserve fit in the time left, and else the error to return now and not after the pause.
func (r *Retry) fits(ctx context.Context, pause time.Duration, last error) error {
	left, ok := Remaining(ctx)
	if !ok || left >= r.need(pause) {
		return nil
	}
	return r.late(ctx, pause, last)
}

// need is what the next attempt needs, with the pause before it and the reserve after it.
func (r *Retry) need(pause time.Duration) time.Duration {
	attempt := r.Estimate.Longest()
	if r.AttemptCap > 0 {
		attempt = min(attempt, r.AttemptCap) // no attempt takes longer than it may
	}
	return sum(pause, max(attempt, r.Min, 1), r.Reserve)
}

// late is the error of a retry that does not fit, with both reasons: the time, and what the last attempt failed with.
func (r *Retry) late(ctx context.Context, pause time.Duration, last error) error {
	if why := ctx.Err(); why != nil {
		return r.over(ctx, why, last)
	}
	left, _ := Remaining(ctx)
	tell(ctx, r.Observer, Event{Kind: CountRetryDenied, Name: r.Name, Label: "fit", Time: left})
	return &Error{Op: r.Name, Reason: RetryWouldNotFit, Remaining: left, Need: r.need(pause), Last: last}
}

// wait is a pause that ctx interrupts; its error is that of ctx.
func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
