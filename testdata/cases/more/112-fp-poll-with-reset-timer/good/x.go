package deploys

import (
	"context"
	"errors"
	"fmt"
	"time"
)

type Status string

const (
	Running Status = "running"
	Done    Status = "done"
	Failed  Status = "failed"
)

// API reads deployments.
type API interface {
	Status(ctx context.Context, id string) (Status, error)
}

type temporary interface{ Temporary() bool }

type Waiter struct {
	api   API
	every time.Duration
	max   time.Duration
}

func NewWaiter(a API) *Waiter { return &Waiter{a, time.Second, 15 * time.Second} }

func (w *Waiter) step(d time.Duration) time.Duration { return min(d*2, w.max) }

// Wait returns when the deployment ended.
func (w *Waiter) Wait(ctx context.Context, id string) error {
	gap := w.every
	t := time.NewTimer(0)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-t.C:
		}
		st, err := w.api.Status(ctx, id)
		var te temporary
		switch {
		case errors.As(err, &te) && te.Temporary():
			gap = w.step(gap)
		case err != nil:
			return fmt.Errorf("deployment %s: %w", id, err)
		case st == Done:
			return nil
		case st == Failed:
			return fmt.Errorf("deployment %s failed", id)
		default:
			gap = w.every
		}
		t.Reset(gap)
	}
}
