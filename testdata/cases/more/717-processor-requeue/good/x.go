// Package good processes jobs of a build queue.
package good

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Job is one build.
type Job interface {
	ID() uint64
	Received(ctx context.Context) error
	Requeue(ctx context.Context) error
	Finish(ctx context.Context, state string) error
}

// Instance runs a script.
type Instance interface {
	Run(ctx context.Context, j Job) (exit int, err error)
}

// Processor takes jobs one after another.
type Processor struct {
	inst    Instance
	hard    time.Duration
	current uint64
}

// New makes a Processor.
func New(i Instance, hard time.Duration) *Processor { return &Processor{inst: i, hard: hard} }

// Run works until jobs is closed or ctx ends.
func (p *Processor) Run(ctx context.Context, jobs <-chan Job) {
	for {
		select {
		case <-ctx.Done():
			return
		case j, ok := <-jobs:
			if !ok {
				return
			}
			p.current = j.ID()
			p.process(ctx, j)
		}
	}
}

func (p *Processor) process(ctx context.Context, j Job) {
	jctx, cancel := context.WithTimeout(ctx, p.hard)
	defer cancel()
	if err := j.Received(jctx); err != nil {
		slog.Error("received", "job", p.current, "err", err)
		return
	}
	type ended struct {
		exit int
		err  error
	}
	res := make(chan ended, 1)
	go func() {
		exit, err := p.inst.Run(jctx, j)
		res <- ended{exit, err}
	}()
	select {
	case <-jctx.Done():
		slog.Warn("job ran out of time", "job", p.current)
		p.giveBack(ctx, j)
	case r := <-res:
		p.report(ctx, j, r.exit, r.err)
	}
}

func (p *Processor) giveBack(ctx context.Context, j Job) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	if err := j.Requeue(ctx); err != nil {
		slog.Error("requeue", "job", j.ID(), "err", err)
	}
}

func (p *Processor) report(ctx context.Context, j Job, exit int, err error) {
	state := "passed"
	switch {
	case err != nil:
		state = "errored"
	case exit != 0:
		state = "failed"
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	if err := j.Finish(ctx, state); err != nil && !errors.Is(err, context.Canceled) {
		slog.Error("finish", "job", j.ID(), "err", err)
	}
}
