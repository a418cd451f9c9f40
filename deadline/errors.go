package deadline

import (
	"context"
	"strings"
	"time"
)

// A Reason says why an [Error] was returned. It is an error itself, so that errors.Is(err, deadline.BelowMinimum) asks for it.
type Reason uint8

// The reasons. All but NoDeadline and BadPolicy are context.DeadlineExceeded too.
const (
	Expired          Reason = iota + 1 // the time was up, before the work or during it
	BelowMinimum                       // time is left, but less than the work needs to be of use, or than must be kept back
	RetryWouldNotFit                   // an attempt failed, and waiting and trying again does not fit in the time left
	QueueExpired                       // the time was up, or too little was left, when the work was taken out of its queue
	NoDeadline                         // the policy requires a deadline, and there is none
	BadPolicy                          // the numbers contradict themselves; nothing was started
)

var reasons = [...]string{
	Expired:          "the time is up",
	BelowMinimum:     "too little time is left",
	RetryWouldNotFit: "another attempt does not fit in the time left",
	QueueExpired:     "the time was up before the work was taken out of its queue",
	NoDeadline:       "the context has no deadline",
	BadPolicy:        "the policy is not valid",
}

// Error says the reason in words.
func (r Reason) Error() string {
	if int(r) >= len(reasons) || r == 0 {
		return "unknown reason"
	}
	return reasons[r]
}

// Timeout reports whether the reason is that time ran short. A policy that is wrong, or a context that lacks its deadline, is
// a mistake in the program: asking again, or answering 504, would hide it.
func (r Reason) Timeout() bool { return r != NoDeadline && r != BadPolicy }

// An Error is work that was not started, or was given up, for want of time.
//
// It unwraps to context.DeadlineExceeded and to Last, so that errors.Is finds both the deadline and what went wrong before
// it: a retry that only said "deadline" would hide why it had to retry. NoDeadline and BadPolicy unwrap to Last alone.
type Error struct {
	Op        string        // the name of the policy, the dependency, the route or the queue; may be empty
	Reason    Reason        // why
	Remaining time.Duration // the time that was left, 0 or less when the time was up; 0 in the errors that are shared
	Need      time.Duration // the time that would have been needed: reserve, pause and minimum together; 0 if not known
	Over      time.Duration // how long after its deadline the work came back; 0 if it had not begun
	Whole     bool          // the time that ended was all that the caller had: another attempt cannot help
	Last      error         // the cause of the context, or the last error of the work itself; may be nil
}

// Error says, in this order, who, why, with which times, and what was wrong before.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("deadline: ")
	if e.Op != "" {
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	b.WriteString(e.Reason.Error())
	if e.Need > 0 {
		b.WriteString(" (" + e.Remaining.String() + " left, " + e.Need.String() + " needed)")
	}
	if e.Over > 0 {
		b.WriteString(" (" + e.Over.String() + " ago)")
	}
	if e.Last != nil {
		b.WriteString(": ")
		b.WriteString(e.Last.Error())
	}
	return b.String()
}

// Unwrap returns context.DeadlineExceeded, if time ran short, and Last, if there is one.
func (e *Error) Unwrap() []error {
	both := make([]error, 0, 2)
	if e.Reason.Timeout() {
		both = append(both, context.DeadlineExceeded)
	}
	if e.Last != nil {
		both = append(both, e.Last)
	}
	return both
}

// Is reports whether target is the reason of e.
func (e *Error) Is(target error) bool {
	r, ok := target.(Reason)
	return ok && r == e.Reason
}

// Timeout reports whether time ran short, as net.Error asks for.
func (e *Error) Timeout() bool { return e.Reason.Timeout() }

// Temporary is there to be a net.Error. It is false: asking again does not bring the time back.
func (e *Error) Temporary() bool { return false }

// The errors of the paths that must not allocate: under overload these are the paths that run most. They are shared, so they
// hold no times; an [Event] does.
var (
	errCap          = &Error{Reason: Expired}                                              // the cause of a context that ended by what this package gave it
	errExpired      = &Error{Reason: Expired, Whole: true, Last: context.DeadlineExceeded} // the context had its deadline from elsewhere
	errExpiredByCap = &Error{Reason: Expired, Whole: true, Last: errCap}                   // the context had its deadline from a policy
	errBelowMinimum = &Error{Reason: BelowMinimum}
	errQueueExpired = &Error{Reason: QueueExpired}
)

// ended is the error of a context that has ended with err. A cancellation is the caller's and stays as it is; a deadline is
// an Error whose Last is the context's cause. It allocates only where somebody else's cause must be kept.
func ended(ctx context.Context, err error) error {
	if err != context.DeadlineExceeded {
		return err
	}
	switch cause := context.Cause(ctx); cause {
	case nil, context.DeadlineExceeded:
		return errExpired
	case error(errCap):
		return errExpiredByCap
	default:
		return &Error{Reason: Expired, Whole: true, Last: cause}
	}
}
