package pubsub

import (
	"context"
	"errors"
	"time"
)

// Broker is where topics live.
type Broker interface {
	Receive(ctx context.Context, topic string) (string, error)
	Exists(ctx context.Context, topic string) (bool, error)
}

// Event is a message, or why there are no more.
type Event struct {
	Body string
	Err  error
}

// Subscriber listens to one topic and to whether it is still there.
type Subscriber struct {
	broker Broker
	topic  string
	every  time.Duration
}

// NewSubscriber checks the topic every so often.
func NewSubscriber(b Broker, topic string, every time.Duration) *Subscriber {
	return &Subscriber{broker: b, topic: topic, every: every}
}

var errGone = errors.New("topic is gone")

func (s *Subscriber) monitor(ctx context.Context, gone chan<- Event) {
	ticker := time.NewTicker(s.every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		ok, err := s.broker.Exists(ctx, s.topic)
		if err == nil && ok {
			continue
		}
		if err == nil {
			err = errGone
		}
		gone <- Event{Err: err} // BUG(deafwait) ALT(orphan)
		return
	}
}

func (s *Subscriber) pump(ctx context.Context, out chan<- Event) {
	for {
		body, err := s.broker.Receive(ctx, s.topic)
		select {
		case out <- Event{Body: body, Err: err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// Each calls fn with every message until it fails or ctx ends.
func (s *Subscriber) Each(ctx context.Context, fn func(string) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	msgs, gone := make(chan Event), make(chan Event)
	go s.pump(ctx, msgs)
	go s.monitor(ctx, gone) // ALT(orphan)
	for {
		var e Event
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e = <-msgs:
		case e = <-gone:
		}
		if e.Err != nil {
			return e.Err
		}
		if err := fn(e.Body); err != nil {
			return err
		}
	}
}
