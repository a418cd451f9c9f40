package build

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
)

type Step struct {
	Name string
	Run  func(ctx context.Context) error
}

// Store keeps the state of builds.
type Store interface {
	SetState(ctx context.Context, id, state string) error
}

type Runner struct {
	st    Store
	limit time.Duration
}

func NewRunner(st Store) *Runner { return &Runner{st: st, limit: time.Hour} }

func (r *Runner) steps(ctx context.Context, id string, steps []Step) error {
	jobCtx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	g, jobCtx := errgroup.WithContext(jobCtx)
	g.SetLimit(4)
	for _, s := range steps {
		g.Go(func() error {
			if err := s.Run(jobCtx); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			return nil
		})
	}
	err := g.Wait()
	state := "succeeded"
	if err != nil {
		state = "failed"
	}
	return errors.Join(err, r.st.SetState(ctx, id, state))
}

// Build runs the stages of a build in order.
func (r *Runner) Build(ctx context.Context, id string, stages ...[]Step) error {
	if err := r.st.SetState(ctx, id, "running"); err != nil {
		return err
	}
	for i, st := range stages {
		if err := r.steps(ctx, id, st); err != nil {
			return fmt.Errorf("stage %d: %w", i, err)
		}
	}
	return nil
}
