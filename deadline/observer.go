package deadline

import (
	"context"
	"sync/atomic"
	"time"
)

// An Observer is told what happens to the time. Observe is called on the paths it tells of: it must be quick, must not block
// and must be safe for concurrent use. The context is the one at hand, for the span or the labels that it carries; it may have
// ended.
type Observer interface {
	Observe(ctx context.Context, e Event)
}

// An Event is one count or one measurement. It is passed by value, so telling of it allocates nothing.
type Event struct {
	Kind  Kind
	Name  string        // the policy, dependency, route or queue; may be empty
	Label string        // what tells the kinds of one count apart, such as the header, "fit" or "tokens"; may be empty
	Time  time.Duration // of the kinds that begin with Time; of a count, the time that was left if that is known
	Share float64       // of ShareOfBudget: 0.25 is a quarter of the request's budget
}

// A Kind is what an Event counts or measures. Names that begin with Count are counters that go up by one an event; those that
// begin with Time are histograms of durations; ShareOfBudget is a histogram of ratios.
type Kind uint8

// The counters.
const (
	CountReceived         Kind = iota + 1 // a deadline came with the request; Label is the header
	CountAbsent                           // none came, and the route's default is used
	CountMalformed                        // one came that is not in form, and is ignored; Label is the header
	CountClampedByRoute                   // what came was longer than the route's maximum
	CountClampedByParent                  // what came, or a cap, was longer than the context allows
	CountExtendDenied                     // what came was longer than the default, and this peer may only shorten
	CountExpiredOnArrival                 // the time was up when the request arrived
	CountBelowMinimum                     // less than the minimum was left, and nothing was started
	CountQueueDropped                     // work was dropped when it was taken out of its queue
	CountRetryDenied                      // no further attempt; Label is "fit" or "tokens"
	CountUnboundedCall                    // a call went out although nothing ends it: no cap and no deadline
	CountLateFinish                       // the work came back after its deadline
	CountSkewed                           // an absolute deadline lay outside the tolerance of the clocks, and was ignored
	CountRejectCeiling                    // a request that should have been rejected went on: the ceiling was reached
	CountClientGone                       // the caller left before it had its answer; nothing was written (the 499 of a log)
	CountPeerExpired                      // a dependency answered that the time was up; Label is "whole" or "slice"
)

// The histograms.
const (
	TimeRemainingOnArrival    Kind = iota + 32 // what was left when the request arrived
	TimeRemainingAtSend                        // what was left when the call was sent
	TimeQueueWait                              // how long the work waited in its queue
	TimeWastedAfterDeadline                    // how long work went on after its deadline
	TimeWastedAfterClientGone                  // how long work went on after the caller had left
	ShareOfBudget                              // which share of the request's budget the call took
)

var kinds = [...]string{
	CountReceived:             "received",
	CountAbsent:               "absent",
	CountMalformed:            "malformed",
	CountClampedByRoute:       "clamped_by_route",
	CountClampedByParent:      "clamped_by_parent",
	CountExtendDenied:         "extend_denied",
	CountExpiredOnArrival:     "expired_on_arrival",
	CountBelowMinimum:         "below_minimum",
	CountQueueDropped:         "queue_dropped",
	CountRetryDenied:          "retry_denied",
	CountUnboundedCall:        "unbounded_call",
	CountLateFinish:           "late_finish",
	CountSkewed:               "skewed",
	CountRejectCeiling:        "reject_ceiling",
	CountClientGone:           "client_gone",
	CountPeerExpired:          "peer_expired",
	TimeRemainingOnArrival:    "remaining_on_arrival",
	TimeRemainingAtSend:       "remaining_at_send",
	TimeQueueWait:             "queue_wait",
	TimeWastedAfterDeadline:   "wasted_after_deadline",
	TimeWastedAfterClientGone: "wasted_after_client_gone",
	ShareOfBudget:             "budget_share",
}

// String is the name of the metric, in snake case and without a prefix.
func (k Kind) String() string {
	if int(k) >= len(kinds) || kinds[k] == "" {
		return "unknown"
	}
	return kinds[k]
}

// Histogram reports whether the kind is measured and not counted.
func (k Kind) Histogram() bool { return k >= TimeRemainingOnArrival }

// Kinds returns every kind, counters first, so that an exporter can declare its metrics beforehand.
func Kinds() []Kind {
	var all []Kind
	for k := range kinds {
		if kinds[k] != "" {
			all = append(all, Kind(k))
		}
	}
	return all
}

// observer is who is told where nobody is named: a Policy is a plain value and holds no observer.
var observer atomic.Pointer[Observer]

// SetObserver names who is told what happens to the time, in policies, retries and queues, and wherever an Observer field is
// nil. It is for main, once; nil is nobody, as it is at first.
func SetObserver(o Observer) {
	if o == nil {
		observer.Store(nil)
		return
	}
	observer.Store(&o)
}

// watched reports whether o, or if it is nil the process, has somebody to tell.
func watched(o Observer) bool { return o != nil || observer.Load() != nil }

// tell hands e to o, or if o is nil to the observer of the process, if there is one.
func tell(ctx context.Context, o Observer, e Event) {
	if o == nil {
		p := observer.Load()
		if p == nil {
			return
		}
		o = *p
	}
	o.Observe(ctx, e)
}

// Tell hands an event to the observer of the process, if there is one. It is for adapters to other libraries.
func Tell(ctx context.Context, e Event) { tell(ctx, nil, e) }
