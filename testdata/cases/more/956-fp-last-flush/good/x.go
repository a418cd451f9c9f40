// Package good gathers usage counters and bills them.
package good

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// ErrDraining is the cause with which the process ends its work.
var ErrDraining = errors.New("draining")

// Biller books usage.
type Biller interface {
	Book(ctx context.Context, usage map[string]int64) error
}

// Meter counts.
type Meter struct {
	biller Biller
	every  time.Duration
	limit  time.Duration

	mu    sync.Mutex
	usage map[string]int64
}

// NewMeter returns a meter that books each minute.
func NewMeter(b Biller) *Meter {
	return &Meter{biller: b, every: time.Minute, limit: 5 * time.Second, usage: map[string]int64{}}
}

// Add counts n units for a tenant.
func (m *Meter) Add(tenant string, n int64) {
	m.mu.Lock()
	m.usage[tenant] += n
	m.mu.Unlock()
}

// Run books until ctx ends, and once more then.
func (m *Meter) Run(ctx context.Context) error {
	m.loop(ctx)
	cause := context.Cause(ctx)
	slog.InfoContext(ctx, "last booking", "cause", cause)
	if err := m.book(context.WithoutCancel(ctx)); err != nil {
		slog.ErrorContext(ctx, "usage lost", "err", err)
		return errors.Join(cause, err)
	}
	if errors.Is(cause, ErrDraining) {
		return nil
	}
	return cause
}

func (m *Meter) loop(ctx context.Context) {
	tick := time.NewTicker(m.every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := m.book(ctx); err != nil {
				slog.WarnContext(ctx, "usage not booked", "err", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

func (m *Meter) book(ctx context.Context) error {
	m.mu.Lock()
	usage := m.usage
	m.usage = map[string]int64{}
	m.mu.Unlock()
	if len(usage) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, m.limit)
	defer cancel()
	err := m.biller.Book(ctx, usage)
	if err != nil {
		m.mu.Lock()
		for tenant, n := range usage {
			m.usage[tenant] += n
		}
		m.mu.Unlock()
	}
	return err
}
