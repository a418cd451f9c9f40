package deadlineotel

import (
	"github.com/doneby/doneby/deadline"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// What the Label of an event is, by its kind.
const (
	header = attribute.Key("deadline.header") // the dialect that the time came in
	reason = attribute.Key("deadline.reason") // why, in one word
)

// A described is what a metric says of itself. The unit of a counter is what it counts, in braces as OpenTelemetry has it.
type described struct {
	unit, text string
	label      attribute.Key
}

// deadlineKinds is one more than the largest kind.
const deadlineKinds = int(deadline.ShareOfBudget) + 1

var metrics = [deadlineKinds]described{
	deadline.CountReceived:         {"{request}", "Requests that brought a deadline.", header},
	deadline.CountAbsent:           {"{request}", "Requests that brought none, and have the route's default.", header},
	deadline.CountMalformed:        {"{request}", "Requests with a deadline that is not in form; it is ignored.", header},
	deadline.CountSkewed:           {"{request}", "Absolute deadlines outside the tolerance of the clocks; they are ignored.", header},
	deadline.CountClampedByRoute:   {"{request}", "Deadlines longer than the route's maximum.", reason},
	deadline.CountClampedByParent:  {"{request}", "Deadlines or caps longer than the context allows.", reason},
	deadline.CountExtendDenied:     {"{request}", "Deadlines longer than the route's default, of peers that may only shorten.", reason},
	deadline.CountExpiredOnArrival: {"{request}", "Requests whose time was up when they arrived.", reason},
	deadline.CountBelowMinimum:     {"{request}", "Work that was not begun because less than its minimum was left.", reason},
	deadline.CountQueueDropped:     {"{item}", "Work that was dropped when it was taken out of its queue.", reason},
	deadline.CountRetryDenied:      {"{attempt}", "Attempts that were not made: they did not fit, or there were no tokens.", reason},
	deadline.CountUnboundedCall:    {"{call}", "Calls that nothing ends: no cap and no deadline.", reason},
	deadline.CountLateFinish:       {"{request}", "Work that came back after its deadline.", reason},
	deadline.CountRejectCeiling:    {"{request}", "Requests that were let through because too many had been rejected.", reason},
	deadline.CountClientGone:       {"{request}", "Requests whose caller left before the answer.", reason},
	deadline.CountPeerExpired:      {"{call}", "Calls that the other side answered with: the time is up.", reason},

	deadline.TimeRemainingOnArrival:    {"s", "Time left when the request arrived.", header},
	deadline.TimeRemainingAtSend:       {"s", "Time left when the call was sent.", reason},
	deadline.TimeQueueWait:             {"s", "Time in the queue.", reason},
	deadline.TimeWastedAfterDeadline:   {"s", "Time that work went on after its deadline.", reason},
	deadline.TimeWastedAfterClientGone: {"s", "Time that work went on after the caller had left.", reason},
	deadline.ShareOfBudget:             {"1", "Share of the request's budget that the call took.", reason},
}

// The bounds of the buckets. Those of seconds are OpenTelemetry's for http.server.request.duration, with 0 before them, for a time
// that was up, 1 ms, the least that is sent, and the budgets of people and of batches after them.
var (
	seconds = []float64{0, 0.001, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60}
	shares  = []float64{0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}
)

// declare makes the instrument of a kind.
func (o *Observer) declare(meter metric.Meter, k deadline.Kind) (err error) {
	if int(k) >= deadlineKinds {
		return nil // of a later version of package deadline
	}
	d, called := metrics[k], "deadline."+k.String()
	if !k.Histogram() {
		o.counters[k], err = meter.Int64Counter(called, metric.WithUnit(d.unit), metric.WithDescription(d.text))
		return err
	}
	bounds := seconds
	if k == deadline.ShareOfBudget {
		bounds = shares
	}
	o.histograms[k], err = meter.Float64Histogram(called, metric.WithUnit(d.unit), metric.WithDescription(d.text),
		metric.WithExplicitBucketBoundaries(bounds...))
	return err
}
