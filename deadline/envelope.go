package deadline

import (
	"context"
	"errors"
	"time"
)

// An Envelope carries a deadline through a broker, as fields of the message. What was left is set against the time since it
// was sent, by the wall clocks of the two machines: messages wait longer than processes live, and longer than machines sleep,
// so there is no monotonic clock to count with. All it does is shorten.
//
// The zero value is no deadline.
type Envelope struct {
	RemainingMs    int64 `json:"remaining_ms,omitempty"`     // what was left when the message was sent; 0 or less is nothing, if SentUnixMs is set
	SentUnixMs     int64 `json:"sent_unix_ms,omitempty"`     // when it was sent, in milliseconds since 1970
	DeadlineUnixMs int64 `json:"deadline_unix_ms,omitempty"` // the deadline itself, for readers that know nothing else
}

// Seal is the envelope for a message that is sent under ctx now. What is left is rounded down. Without a deadline it is zero.
func Seal(ctx context.Context) Envelope {
	left, ok := Remaining(ctx)
	if !ok {
		return Envelope{}
	}
	now, ms := time.Now().UnixMilli(), max(0, left.Milliseconds())
	return Envelope{RemainingMs: ms, SentUnixMs: now, DeadlineUnixMs: now + ms}
}

// left is what is left of the envelope at now, and whether it carries a deadline. Stamps that lie ahead by more than skew, or
// that contradict one another, are of clocks that do not agree: they are ignored, and what was left when it was sent is left
// still.
func (e Envelope) left(now time.Time, skew time.Duration) (left time.Duration, ok, skewed bool) {
	if e == (Envelope{}) {
		return 0, false, false
	}
	left, sentWith := maxWait, fromMs(e.RemainingMs)
	if e.RemainingMs != 0 || e.SentUnixMs != 0 {
		left = sentWith
	}
	sent, until := time.UnixMilli(e.SentUnixMs), time.UnixMilli(e.DeadlineUnixMs)
	skew = max(0, skew)
	switch {
	case e.SentUnixMs < 0 || e.DeadlineUnixMs < 0, sent.After(now.Add(skew)):
		return left, true, true
	case e.SentUnixMs > 0 && e.DeadlineUnixMs > 0 && (until.Sub(sent)-sentWith).Abs() > skew:
		return left, true, true
	}
	// Stamps are rounded down to the millisecond, so that by them no less time has passed, and no more is left, than truly.
	if e.SentUnixMs > 0 {
		left -= max(0, now.Sub(sent))
	}
	if e.DeadlineUnixMs > 0 {
		left = min(left, until.Sub(now))
	}
	return left, true, false
}

// fromMs is that many milliseconds, between none and maxWait.
func fromMs(ms int64) time.Duration {
	return time.Duration(min(max(0, ms), int64(maxWait/time.Millisecond))) * time.Millisecond
}

// An Action is what a consumer is to do with a message.
type Action uint8

const (
	Park    Action = iota // put it aside, where somebody can look at it: nothing is lost silently
	Drop                  // acknowledge and forget it
	Process               // work on it, under the context that comes with it
)

var actions = [...]string{Park: "park", Drop: "drop", Process: "process"}

// String is the action in lower case.
func (a Action) String() string {
	if int(a) >= len(actions) {
		return "unknown"
	}
	return actions[a]
}

// A Consumer takes messages out of a broker. A broker delivers at least once and late: whether a message that is too late may
// be forgotten is for the consumer to say.
type Consumer struct {
	// Policy is what the work on one message needs. Its Cap is also the bound of messages that carry no deadline.
	Policy Policy
	// Skew is how far the clocks of the machines may lie apart.
	Skew time.Duration
	// Overdue is what to do with a message whose time is up. With Process, it is worked on all the same, for no longer than
	// the Cap of the policy, which then must be there.
	Overdue Action
	// Observer is told; nil is that of the process.
	Observer Observer
}

var errProcess = errors.New("to process what is overdue takes a Cap")

// Open says what to do with a message that came in e, and derives the context to do it under, from ctx, the consumer's own.
// The error says why a message is not to be processed: QueueExpired, or what Start returns. A message that came to a consumer
// that is shutting down, or that is not set up right, is parked and not dropped, whatever Overdue says.
func (c Consumer) Open(ctx context.Context, e Envelope) (context.Context, context.CancelFunc, Action, error) {
	p := c.Policy
	if c.Overdue == Process && p.Cap <= 0 {
		child, cancel, err := refuse(ctx, Error{Op: p.Name, Reason: BadPolicy, Last: errProcess})
		return child, cancel, Park, err
	}
	if ctx.Err() != nil || p.bad() != nil {
		child, cancel, err := p.Start(ctx) // which says what is wrong
		return child, cancel, Park, err
	}
	left, ok, skewed := e.left(time.Now(), c.Skew)
	if skewed {
		tell(ctx, c.Observer, Event{Kind: CountSkewed, Name: p.Name, Label: "envelope"})
	}
	if ok && e.SentUnixMs > 0 && !skewed {
		waited := max(0, time.Since(time.UnixMilli(e.SentUnixMs)))
		tell(ctx, c.Observer, Event{Kind: TimeQueueWait, Name: p.Name, Time: waited})
	}
	if ok && (left <= p.Reserve || left-p.Reserve < p.Min) {
		tell(ctx, c.Observer, Event{Kind: CountQueueDropped, Name: p.Name, Label: c.Overdue.String(), Time: left})
		if c.Overdue != Process {
			return overdue, nothing, c.Overdue, errQueueExpired
		}
		ok = false // under the cap alone
	}
	if ok {
		p.Cap = smaller(p.Cap, left-p.Reserve)
	}
	child, cancel, err := p.Start(ctx)
	if err != nil {
		return child, cancel, Park, err
	}
	return child, cancel, Process, nil
}

// smaller is the smaller of a cap, where 0 is none, and a bound.
func smaller(limit, bound time.Duration) time.Duration {
	if limit <= 0 {
		return bound
	}
	return min(limit, bound)
}
