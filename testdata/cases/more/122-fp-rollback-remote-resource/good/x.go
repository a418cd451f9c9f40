package provision

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Cloud makes machines and volumes.
type Cloud interface {
	CreateVolume(ctx context.Context, gb int) (string, error)
	DeleteVolume(ctx context.Context, id string) error
	CreateMachine(ctx context.Context, volume string) (string, error)
	DeleteMachine(ctx context.Context, id string) error
	WaitReady(ctx context.Context, machine string) error
}

type step struct {
	what string
	undo func(context.Context) error
}

type plan struct{ steps []step }

func (p *plan) add(what string, undo func(context.Context) error) {
	p.steps = append(p.steps, step{what, undo})
}

func undoContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
}

func (p *plan) rollback(ctx context.Context, cause error) error {
	ctx, cancel := undoContext(ctx)
	defer cancel()
	errs := []error{cause}
	for i := len(p.steps) - 1; i >= 0; i-- {
		if err := p.steps[i].undo(ctx); err != nil {
			errs = append(errs, fmt.Errorf("undo %s: %w", p.steps[i].what, err))
		}
	}
	return errors.Join(errs...)
}

// Machine provisions a machine with a volume, or nothing.
func Machine(ctx context.Context, c Cloud, gb int) (id string, err error) {
	var p plan
	defer func() {
		if err != nil {
			err = p.rollback(ctx, err)
		}
	}()
	vol, err := c.CreateVolume(ctx, gb)
	if err != nil {
		return "", err
	}
	p.add("volume", func(ctx context.Context) error { return c.DeleteVolume(ctx, vol) })
	id, err = c.CreateMachine(ctx, vol)
	if err != nil {
		return "", err
	}
	p.add("machine", func(ctx context.Context) error { return c.DeleteMachine(ctx, id) })
	return id, c.WaitReady(ctx, id)
}
