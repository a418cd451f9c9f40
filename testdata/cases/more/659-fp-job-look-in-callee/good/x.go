// Package render runs render jobs on a few workers.
package render

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"
)

var ErrTooLate = errors.New("job expired in the queue")

// Doc renders itself.
type Doc interface {
	Render(ctx context.Context) ([]byte, error)
}

type outcome struct {
	pdf []byte
	err error
}

type job struct {
	doc Doc
	by  time.Time
	out chan outcome
}

func (j *job) left() time.Duration { return time.Until(j.by) }

// Farm has a fixed number of workers.
type Farm struct {
	jobs  chan *job
	cache interface {
		Store(ctx context.Context, b []byte) error
	}
}

// Render queues d; it must be ready within the limit.
func (f *Farm) Render(ctx context.Context, d Doc, limit time.Duration) ([]byte, error) {
	j := &job{doc: d, by: time.Now().Add(limit), out: make(chan outcome, 1)}
	select {
	case f.jobs <- j:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case o := <-j.out:
		return o.pdf, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Run works until ctx ends.
func (f *Farm) Run(ctx context.Context, workers int) error {
	g, gctx := errgroup.WithContext(ctx)
	for range workers {
		g.Go(func() error { return f.work(gctx) })
	}
	err := g.Wait()
	if ctx.Err() == nil {
		return err
	}
	endCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	return errors.Join(err, f.cache.Store(endCtx, []byte("stopped")))
}

func (f *Farm) work(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case j := <-f.jobs:
			j.out <- f.perform(ctx, j)
		}
	}
}

func (f *Farm) perform(ctx context.Context, j *job) outcome {
	if j.left() <= 0 {
		return outcome{err: ErrTooLate}
	}
	ctx, cancel := context.WithDeadline(ctx, j.by)
	defer cancel()
	pdf, err := j.doc.Render(ctx)
	return outcome{pdf, err}
}
