// Package deadlineotel tells OpenTelemetry what package deadline does with the time: counters and histograms, and attributes of
// the span at hand.
//
// The two that matter most are deadline.wasted_after_deadline and deadline.wasted_after_client_gone: work that nobody waited
// for. They are to fall as deadlines reach further down.
//
// A [Propagator] carries the time left in messages. It is off until it is named as one.
package deadlineotel

import (
	"context"
	"fmt"

	"github.com/doneby/doneby/deadline"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// scope is the name of the instrumentation, as OpenTelemetry asks for: the path of its package.
const scope = "github.com/doneby/doneby/deadline/deadlineotel"

// name is the attribute for the policy, the dependency, the route or the queue.
const name = attribute.Key("deadline.name")

// An Observer makes metrics and span attributes of events: deadline.SetObserver takes it for the whole process, the Observer
// fields take it for one server or client. It is safe for concurrent use.
type Observer struct {
	counters   [deadlineKinds]metric.Int64Counter
	histograms [deadlineKinds]metric.Float64Histogram
}

var _ deadline.Observer = (*Observer)(nil)

// New declares every metric with a provider; nil is the global one, which may be set later. The error is the provider's.
func New(provider metric.MeterProvider) (*Observer, error) {
	if provider == nil {
		provider = otel.GetMeterProvider()
	}
	meter, o := provider.Meter(scope), new(Observer)
	for _, k := range deadline.Kinds() {
		if err := o.declare(meter, k); err != nil {
			return nil, fmt.Errorf("deadlineotel: %v: %w", k, err)
		}
	}
	return o, nil
}

// Observe counts or measures an event, and writes it on the span of ctx, if that is recording.
//
// The context has often ended, since that is what there is to tell of. Its values say to which span a measurement belongs; its
// end is kept from the SDK, which in older versions (1.21 for one) drops what is measured under a context that is over.
func (o *Observer) Observe(ctx context.Context, e deadline.Event) {
	if int(e.Kind) >= deadlineKinds {
		return // of a later version of package deadline
	}
	annotate(ctx, e)
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	if c := o.counters[e.Kind]; c != nil && c.Enabled(ctx) {
		c.Add(ctx, 1, metric.WithAttributeSet(attributes(e)))
	}
	if h := o.histograms[e.Kind]; h != nil && h.Enabled(ctx) {
		h.Record(ctx, measured(e), metric.WithAttributeSet(attributes(e)))
	}
}

// measured is what a histogram gets: seconds, or a share. OpenTelemetry's histograms are for values of 0 or more, and a time
// that was up has nothing left.
func measured(e deadline.Event) float64 {
	if e.Kind == deadline.ShareOfBudget {
		return max(0, e.Share)
	}
	return max(0, e.Time.Seconds())
}

// attributes are few and of few values: names that a program declared, and words of package deadline. What is empty is left out.
func attributes(e deadline.Event) attribute.Set {
	all := make([]attribute.KeyValue, 0, 2)
	if e.Name != "" {
		all = append(all, name.String(e.Name))
	}
	if e.Label != "" {
		all = append(all, metrics[e.Kind].label.String(e.Label))
	}
	return attribute.NewSet(all...)
}
