package deadline

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Policy is what is known about one dependency: how long it can take, what must be kept back, and how little is too little.
// It is a plain value, safe to share and comparable; declare it once, beside the client of the dependency. The zero value
// hands on what the caller has.
type Policy struct {
	// Cap is the longest that one call can reasonably take: a safety net beneath the deadline, not the policy. 0 is none.
	Cap time.Duration
	// Reserve is what this hop keeps of the time left, to answer and to clean up. It is taken off the caller's deadline
	// and is not negotiable; where there is no deadline there is nothing to take it from.
	Reserve time.Duration
	// Min is the least time in which the call is of use. With less, nothing is started.
	Min time.Duration
	// Require refuses to call when nothing would end the call: no Cap, and no deadline above.
	Require bool
	// Name is the dependency, in errors and metrics.
	Name string
}

var (
	errNegative = errors.New("Cap, Reserve and Min cannot be negative")
	errMinOver  = errors.New("Min is more than Cap allows")
)

// bad says what is wrong with the numbers, or nil. A number that makes no sense is never read as "unlimited".
func (p *Policy) bad() error {
	switch {
	case p.Cap < 0 || p.Reserve < 0 || p.Min < 0:
		return errNegative
	case p.Cap > 0 && p.Min > p.Cap:
		return errMinOver
	}
	return nil
}

// Start derives the context of one call: it ends after Cap, or Reserve before the caller's deadline, whichever is earlier, and
// never later than ctx. It costs what context.WithTimeout costs; where ctx itself is the bound, it starts no timer.
//
// If less than Min would be left, or nothing, or the policy is not valid, it returns an [*Error] and nothing is to be started;
// if ctx was cancelled, it returns context.Canceled. The context is then one that has ended, and the cancel function may be
// called all the same. Without Cap and without a deadline above, the context is ended only by its cancel function: that is
// counted as unbounded, or refused if the policy has Require.
func (p Policy) Start(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if wrong := p.bad(); wrong != nil {
		return refuse(ctx, Error{Op: p.Name, Reason: BadPolicy, Last: wrong})
	}
	switch err := ctx.Err(); err {
	case nil:
	case context.DeadlineExceeded:
		return ctx, nothing, p.expired(ctx, context.Cause(ctx))
	default:
		return ctx, nothing, err // the caller's own doing, and no matter of deadlines
	}
	end, ok := ctx.Deadline()
	if !ok {
		return p.startUnbounded(ctx)
	}
	now := time.Now()
	left := end.Sub(now)
	if left <= 0 { // the timer of ctx is late
		return refuse(ctx, *p.expired(ctx, context.DeadlineExceeded))
	}
	usable := left - p.Reserve
	if usable <= 0 || usable < p.Min {
		tell(ctx, nil, Event{Kind: CountBelowMinimum, Name: p.Name, Label: "minimum", Time: left})
		return refuse(ctx, Error{Op: p.Name, Reason: BelowMinimum, Remaining: left, Need: sum(p.Reserve, p.Min)})
	}
	if p.Cap > usable {
		tell(ctx, nil, Event{Kind: CountClampedByParent, Name: p.Name, Time: usable})
	}
	switch {
	case p.Cap > 0 && p.Cap < usable:
		end = now.Add(p.Cap)
	case p.Reserve > 0:
		end = end.Add(-p.Reserve)
	default: // ctx is the earliest, and its own timer will do
		child, cancel := context.WithCancel(ctx)
		return child, cancel, nil
	}
	// The cause is ours only because our deadline is the earliest: otherwise the standard library would drop it.
	child, cancel := context.WithDeadlineCause(ctx, end, errCap)
	return child, cancel, nil
}

// startUnbounded is Start where ctx has no deadline. There is no time left to take the reserve from.
func (p *Policy) startUnbounded(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if p.Cap > 0 {
		child, cancel := context.WithTimeoutCause(ctx, p.Cap, errCap)
		return child, cancel, nil
	}
	if p.Require {
		return refuse(ctx, Error{Op: p.Name, Reason: NoDeadline})
	}
	tell(ctx, nil, Event{Kind: CountUnboundedCall, Name: p.Name})
	child, cancel := context.WithCancel(ctx)
	return child, cancel, nil
}

// expired is the refusal of a context whose deadline has passed.
func (p *Policy) expired(ctx context.Context, last error) *Error {
	left, _ := Remaining(ctx)
	tell(ctx, nil, Event{Kind: CountBelowMinimum, Name: p.Name, Label: "expired", Time: left})
	return &Error{Op: p.Name, Reason: Expired, Remaining: left, Whole: true, Last: last}
}

// refuse is the result of a start that is not to be, of a context that lives. A caller who overlooks the error gets a context
// that has ended, and not one without limit. Both are one allocation.
func refuse(ctx context.Context, why Error) (context.Context, context.CancelFunc, error) {
	r := &refused{ctx, why}
	return r, nothing, &r.why
}

func nothing() {}

// refused is a context that ended before it began.
type refused struct {
	context.Context
	why Error
}

var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// Done is closed.
func (r *refused) Done() <-chan struct{} { return closed }

// Err is one of the two that contexts have; a mistake in the program is Canceled.
func (r *refused) Err() error {
	if r.why.Timeout() {
		return context.DeadlineExceeded
	}
	return context.Canceled
}

// Do starts call within the policy, and says in its error whether it was the time that ended it.
//
// The error of call stays as it is as long as its context lives. If the time was up, it is an [*Error] with the call's own
// error as Last; Whole says whether the time was the caller's, or only this call's, so that another attempt may help. If the
// caller went away, it is context.Canceled and the call's own error. What Start refuses, Do returns, and call is not called.
func (p Policy) Do(ctx context.Context, call func(context.Context) error) error {
	child, cancel, err := p.Start(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	if _, ok := BudgetOf(ctx); ok {
		defer func(began time.Time) { spent(ctx, p.Name, time.Since(began)) }(time.Now())
	}
	err = call(child)
	return p.classify(ctx, child, err)
}

// classify says what the end of child, the context of a call under ctx, makes of the call's error.
func (p *Policy) classify(ctx, child context.Context, err error) error {
	if err == nil {
		return nil // late or not, the work is done
	}
	switch child.Err() {
	case nil:
		return err
	case context.DeadlineExceeded:
		left, bounded := Remaining(child)
		over := time.Duration(0)
		if bounded && left < 0 {
			over = -left
		}
		above, limited := Remaining(ctx)
		whole := ctx.Err() != nil || limited && above <= p.Reserve
		return &Error{Op: p.Name, Reason: Expired, Remaining: left, Over: over, Whole: whole, Last: err}
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", context.Canceled, err)
}
