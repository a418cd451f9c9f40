// Package good publishes events on a bounded set of senders.
package good

import (
	"context"
	"log/slog"
	"sync"
)

// Sink delivers one event; it blocks until the broker has it.
type Sink interface {
	Deliver(topic string, body []byte) error
}

type boundedGroup struct {
	sync.WaitGroup
	room chan struct{}
}

func newBoundedGroup(n int) *boundedGroup {
	return &boundedGroup{room: make(chan struct{}, n)}
}

func (g *boundedGroup) tryGo(fn func()) bool {
	select {
	case g.room <- struct{}{}:
	default:
		return false
	}
	g.Add(1)
	go func() {
		defer g.Done()
		defer func() { <-g.room }()
		fn()
	}()
	return true
}

// WaitContext waits for the group or for the end of ctx.
func (g *boundedGroup) WaitContext(ctx context.Context) error {
	idle := make(chan struct{})
	go func() {
		defer close(idle)
		g.Wait()
	}()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Outbox sends in the background.
type Outbox struct {
	sink   Sink
	group  *boundedGroup
	mu     sync.Mutex
	closed bool
}

// NewOutbox makes an Outbox with n senders.
func NewOutbox(s Sink, n int) *Outbox {
	return &Outbox{sink: s, group: newBoundedGroup(n)}
}

// Offer takes an event if there is room.
func (o *Outbox) Offer(topic string, body []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return false
	}
	return o.group.tryGo(func() {
		if err := o.sink.Deliver(topic, body); err != nil {
			slog.Error("deliver", "topic", topic, "err", err)
		}
	})
}

// Close takes no more events and waits, at most until ctx ends, for the rest.
func (o *Outbox) Close(ctx context.Context) error {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	return o.group.WaitContext(ctx)
}
