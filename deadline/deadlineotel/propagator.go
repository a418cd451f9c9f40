package deadlineotel

import (
	"context"
	"time"

	"github.com/doneby/doneby/deadline"
	"go.opentelemetry.io/otel/propagation"
)

// field is the key in carriers: that of deadline.XDeadlineMs, in the lower case that carriers of messages have.
const field = "x-deadline-ms"

// A Propagator carries the time left of a context in what OpenTelemetry's instrumentation sends: messages, above all, for which
// there is no deadline.Transport. It is for otel.SetTextMapPropagator, within propagation.NewCompositeTextMapPropagator, and off
// until it is named there: whatever the instrumentation reaches is then told, third parties included.
//
// What it extracts is only pending. A propagator knows nothing of trust and cannot return a cancel function, so it sets no
// deadline: [Claim] does, where the work begins, and never gives more than that place allows.
type Propagator struct{}

var _ propagation.TextMapPropagator = Propagator{}

// Fields are the keys that Inject sets.
func (Propagator) Fields() []string { return []string{field} }

// Inject writes what is left, rounded down to milliseconds. Of a context without a deadline it writes nothing; 0 is a time that
// is up, and not one without limit.
func (Propagator) Inject(ctx context.Context, carrier propagation.TextMapCarrier) {
	left, ok := deadline.Remaining(ctx)
	if !ok {
		return
	}
	var buf [20]byte
	value, ok := deadline.XDeadlineMs.Append(buf[:0], left, time.Now())
	if !ok {
		value = append(buf[:0], '0') // the message goes out all the same; who takes it out finds that it is late
	}
	carrier.Set(field, string(value))
}

// Extract keeps what a carrier says is left, from now on. The smallest valid value counts; what is not in form is counted as
// malformed and ignored, and then nothing is pending.
func (Propagator) Extract(ctx context.Context, carrier propagation.TextMapCarrier) context.Context {
	now, found := time.Now(), false
	var least time.Duration
	for _, value := range values(carrier) {
		left, verdict := deadline.XDeadlineMs.Parse(value, now, 0)
		switch {
		case verdict == deadline.Malformed:
			deadline.Tell(ctx, deadline.Event{Kind: deadline.CountMalformed, Label: deadline.XDeadlineMs.String()})
		case verdict == deadline.Valid && (!found || left < least):
			least, found = left, true
		}
	}
	if !found {
		return ctx
	}
	return context.WithValue(ctx, pendingKey{}, pending{least, now})
}

// values are those of the field, of which a carrier that knows no lists has one.
func values(carrier propagation.TextMapCarrier) []string {
	if all, ok := carrier.(propagation.ValuesGetter); ok {
		return all.Values(field)
	}
	if value := carrier.Get(field); value != "" {
		return []string{value}
	}
	return nil
}

type pendingKey struct{}

// pending is what was left, and when.
type pending struct {
	left time.Duration
	at   time.Time
}

// Pending is what is left of the time that came with ctx, by a [Propagator], less what has passed since it was extracted; 0 or less
// is a time that is up. If none came it is 0 and false.
func Pending(ctx context.Context) (left time.Duration, ok bool) {
	p, ok := ctx.Value(pendingKey{}).(pending)
	if !ok {
		return 0, false
	}
	return p.left - time.Since(p.at), true
}

// Claim is deadline.WithBudget where the work that came with ctx begins: its budget is most, or what is pending if that is less.
// Nothing that came from outside extends it. Without a pending time, and for one that is not in form, it is most.
//
// A time that is up makes a context that has ended: look at it before the work begins, as with deadline.Check. Call cancel when
// the work has come back.
func Claim(ctx context.Context, most time.Duration, route string) (context.Context, context.CancelFunc) {
	if left, ok := Pending(ctx); ok {
		deadline.Tell(ctx, deadline.Event{Kind: deadline.CountReceived, Name: route, Label: deadline.XDeadlineMs.String(), Time: left})
		deadline.Tell(ctx, deadline.Event{Kind: deadline.TimeRemainingOnArrival, Name: route, Label: deadline.XDeadlineMs.String(), Time: left})
		most = min(most, left)
	} else {
		deadline.Tell(ctx, deadline.Event{Kind: deadline.CountAbsent, Name: route})
	}
	return deadline.WithBudget(ctx, most, route)
}
