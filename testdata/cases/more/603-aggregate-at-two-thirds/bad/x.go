// Package duties submits a validator's aggregates at the right moment.
package duties

import (
	"context"
	"fmt"
	"time"
)

type Slot uint64

// Clock knows when slots start.
type Clock struct {
	Genesis  time.Time
	PerSlot  time.Duration
	Interval int
}

func (c Clock) start(s Slot) time.Time {
	return c.Genesis.Add(time.Duration(s) * c.PerSlot)
}

type Node interface {
	Aggregate(ctx context.Context, s Slot, committee uint64) ([]byte, error)
	Submit(ctx context.Context, proof []byte) error
}

type options struct{ clock Clock }

// Option changes a Submitter.
type Option func(*options)

func WithClock(c Clock) Option { return func(o *options) { o.clock = c } }

// Submitter talks to one beacon node.
type Submitter struct {
	node Node
	opts options
}

func NewSubmitter(n Node, opts ...Option) *Submitter {
	s := &Submitter{node: n}
	s.opts.clock.PerSlot = 12 * time.Second
	for _, o := range opts {
		o(&s.opts)
	}
	return s
}

// untilTwoThirds waits until two thirds of the slot have passed.
func (s *Submitter) untilTwoThirds(slot Slot) {
	c := s.opts.clock
	at := c.start(slot).Add(2 * c.PerSlot / 3)
	d := time.Until(at)
	if d <= 0 {
		return
	}
	time.Sleep(d) // BUG(deafwait) ALT(noctx)
}

// SubmitAggregate collects and sends one aggregate.
func (s *Submitter) SubmitAggregate(ctx context.Context, slot Slot, committee uint64) error {
	s.untilTwoThirds(slot) // ALT(deafwait) ALT(noctx)
	proof, err := s.node.Aggregate(ctx, slot, committee)
	if err != nil {
		return fmt.Errorf("aggregate for slot %d: %w", slot, err)
	}
	return s.node.Submit(ctx, proof)
}
