// Package good runs migrations under a lease that is renewed meanwhile.
package good

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrLost is the cause of a migration's end when its lease could not be kept.
var ErrLost = errors.New("lease lost")

// Locks is the service that grants leases.
type Locks interface {
	Grab(ctx context.Context, name string, ttl time.Duration) (token string, err error)
	Renew(ctx context.Context, name, token string) error
	Drop(ctx context.Context, name, token string) error
}

// Step is one migration.
type Step struct {
	Name string
	Do   func(ctx context.Context) error
}

// Migrator runs steps one after another.
type Migrator struct {
	locks Locks
	ttl   time.Duration
}

// New returns a migrator.
func New(l Locks) *Migrator { return &Migrator{locks: l, ttl: 15 * time.Second} }

// Run performs all steps while it holds the lease called name.
func (m *Migrator) Run(ctx context.Context, name string, steps []Step) (err error) {
	token, err := m.locks.Grab(ctx, name, m.ttl)
	if err != nil {
		return fmt.Errorf("lease %s: %w", name, err)
	}
	held, release := m.hold(ctx, name, token)
	defer func() { err = errors.Join(err, release()) }()

	for _, s := range steps {
		if held.Err() != nil {
			return context.Cause(held)
		}
		if err := s.Do(held); err != nil {
			return fmt.Errorf("step %s: %w", s.Name, err)
		}
	}
	return nil
}

func (m *Migrator) renew(ctx context.Context, name, token string) error {
	ctx, cancel := context.WithTimeout(ctx, m.ttl/3)
	defer cancel()
	return m.locks.Renew(ctx, name, token)
}

// hold renews the lease until release is called. The context it returns ends
// when the lease is lost.
func (m *Migrator) hold(ctx context.Context, name, token string) (held context.Context, release func() error) {
	held, cancel := context.WithCancelCause(ctx)
	idle := make(chan struct{})
	go func() {
		defer close(idle)
		tick := time.NewTicker(m.ttl / 3)
		defer tick.Stop()
		for {
			select {
			case <-held.Done():
				return
			case <-tick.C:
			}
			if err := m.renew(held, name, token); err != nil {
				cancel(fmt.Errorf("%w: %w", ErrLost, err))
				return
			}
		}
	}()
	return held, func() error {
		cancel(nil)
		<-idle
		last, stop := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		defer stop()
		return m.locks.Drop(last, name, token)
	}
}
