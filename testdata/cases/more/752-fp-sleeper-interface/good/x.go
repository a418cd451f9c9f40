// Package good waits until an order is settled.
package good

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Sleeper pauses; the error is that of ctx.
type Sleeper interface {
	Sleep(ctx context.Context, d time.Duration) error
}

type wall struct{}

func (wall) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Recorded is a Sleeper for tests.
type Recorded struct{ Slept []time.Duration }

// Sleep notes d and returns.
func (r *Recorded) Sleep(ctx context.Context, d time.Duration) error {
	r.Slept = append(r.Slept, d)
	return ctx.Err()
}

// Ledger knows orders.
type Ledger interface {
	Settled(ctx context.Context, order string) (bool, error)
}

// ErrBusy is returned by a Ledger that is loaded.
var ErrBusy = errors.New("busy")

// Watcher waits for orders.
type Watcher struct {
	ledger Ledger
	sleep  Sleeper
	step   time.Duration
}

// New makes a Watcher; s may be nil.
func New(l Ledger, s Sleeper) *Watcher {
	if s == nil {
		s = wall{}
	}
	return &Watcher{ledger: l, sleep: s, step: time.Second}
}

func (w *Watcher) pause(ctx context.Context, n int) error {
	return w.sleep.Sleep(ctx, w.step<<min(n, 5))
}

// Settle returns when order is settled.
func (w *Watcher) Settle(ctx context.Context, order string) error {
	for n := 0; ; n++ {
		ok, err := w.ledger.Settled(ctx, order)
		if ok {
			return nil
		}
		if err != nil && !errors.Is(err, ErrBusy) {
			return fmt.Errorf("order %s: %w", order, err)
		}
		if err := w.pause(ctx, n); err != nil {
			return err
		}
	}
}
