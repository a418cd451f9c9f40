package drain

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Node is one server of the cluster.
type Node interface {
	Leases(ctx context.Context) (int, error)
	Drain(ctx context.Context) error
}

// Drainer moves leases off a node.
type Drainer struct {
	limit time.Duration
}

// New gives a drain up to limit.
func New(limit time.Duration) *Drainer { return &Drainer{limit: limit} }

var errLeases = errors.New("leases remain")

// retryFor calls fn with growing pauses until it succeeds, d has passed or ctx ends.
func retryFor(ctx context.Context, d time.Duration, fn func() error) error {
	deadline := time.Now().Add(d)
	var last error
	for wait := 50 * time.Millisecond; time.Now().Before(deadline); wait = min(2*wait, 2*time.Second) {
		if last = fn(); last == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), last)
		case <-time.After(wait):
		}
	}
	return last
}

// Drain returns when the node holds no lease any more.
func (d *Drainer) Drain(ctx context.Context, n Node) error {
	if err := n.Drain(ctx); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	return retryFor(ctx, d.limit, func() error {
		left, err := n.Leases(ctx)
		if err != nil {
			return err
		}
		if left > 0 {
			return fmt.Errorf("%d: %w", left, errLeases)
		}
		return nil
	})
}
