package deadlineotel

import (
	"context"

	"github.com/doneby/doneby/deadline"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// refused is the attribute of a span whose work, or a part of it, was not begun, or would not have been where a server only
// observes. Its values are the names of the counters.
const refused = attribute.Key("deadline.refused")

// annotate writes an event on the span of ctx: each measured time under the name of its metric, in seconds, and what was refused, by
// whom and why. Of several events of one kind on one span the last stays.
func annotate(ctx context.Context, e deadline.Event) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	switch e.Kind {
	case deadline.CountExpiredOnArrival, deadline.CountBelowMinimum, deadline.CountQueueDropped, deadline.CountRetryDenied:
		span.SetAttributes(refused.String(e.Kind.String()))
		if e.Name != "" {
			span.SetAttributes(name.String(e.Name))
		}
		if e.Label != "" {
			span.SetAttributes(reason.String(e.Label))
		}
	case deadline.TimeRemainingOnArrival, deadline.TimeRemainingAtSend, deadline.TimeQueueWait,
		deadline.TimeWastedAfterDeadline, deadline.TimeWastedAfterClientGone:
		// A span has room for what lies below 0: by how much a request came too late.
		span.SetAttributes(attribute.Float64("deadline."+e.Kind.String(), e.Time.Seconds()))
	}
}
