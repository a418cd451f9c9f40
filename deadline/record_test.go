package deadline

import (
	"context"
	"sync"
	"testing"
)

// record is an observer that remembers.
type record struct {
	mu     sync.Mutex
	events []Event
}

func (r *record) Observe(_ context.Context, e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// of returns the events of one kind.
func (r *record) of(k Kind) []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	var some []Event
	for _, e := range r.events {
		if e.Kind == k {
			some = append(some, e)
		}
	}
	return some
}

// observe is told everything until the end of the test. Tests that use it do not run in parallel.
func observe(t *testing.T) *record {
	t.Helper()
	r := &record{}
	SetObserver(r)
	t.Cleanup(func() { SetObserver(nil) })
	return r
}
