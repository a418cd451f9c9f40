package stages

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Clock is replaced in tests.
type Clock interface {
	Now() time.Time
}

type system struct{}

func (system) Now() time.Time { return time.Now().UTC() } // ALT(wallclock)

// Stage is one part of a run.
type Stage struct {
	Name string
	Max  time.Duration
	Do   func(ctx context.Context) error
}

type Runner struct {
	clk Clock
}

func New() *Runner { return &Runner{clk: system{}} }

// Run runs the stages one after the other.
func (r *Runner) Run(ctx context.Context, stages ...Stage) error {
	for _, s := range stages {
		if err := r.one(ctx, s); err != nil {
			return fmt.Errorf("stage %s: %w", s.Name, err)
		}
	}
	return nil
}

func (r *Runner) one(ctx context.Context, s Stage) error {
	sctx, cancel := context.WithDeadline(ctx, r.clk.Now().Add(s.Max)) // BUG(wallclock)
	defer cancel()
	err := s.Do(sctx)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return fmt.Errorf("took longer than %s", s.Max)
	}
	return err
}
