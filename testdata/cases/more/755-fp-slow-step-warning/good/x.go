// Package good compacts segments and says when that takes long.
package good

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Engine does the work.
type Engine interface {
	Merge(ctx context.Context, segments []string) (string, error)
	Swap(ctx context.Context, old []string, merged string) error
}

// Compactor merges segments.
type Compactor struct {
	e     Engine
	log   *slog.Logger
	after time.Duration
}

// New makes a Compactor.
func New(e Engine, log *slog.Logger) *Compactor {
	return &Compactor{e: e, log: log, after: 30 * time.Second}
}

// watch logs now and then until the returned function is called.
func (c *Compactor) watch(step string) (stop func()) {
	done := make(chan struct{})
	start := time.Now()
	go func() {
		t := time.NewTicker(c.after)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				c.log.Warn("slow step", "step", step, "for", time.Since(start))
			case <-done:
				return
			}
		}
	}()
	return sync.OnceFunc(func() { close(done) })
}

func (c *Compactor) step(name string, fn func() error) error {
	defer c.watch(name)()
	if err := fn(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Compact merges segments into one.
func (c *Compactor) Compact(ctx context.Context, segments []string) error {
	var merged string
	err := c.step("merge", func() (err error) {
		merged, err = c.e.Merge(ctx, segments)
		return err
	})
	if err != nil {
		return err
	}
	return c.step("swap", func() error { return c.e.Swap(ctx, segments, merged) })
}
