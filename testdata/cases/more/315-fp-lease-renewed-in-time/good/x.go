package lease

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Table is where leases are held.
type Table interface {
	Acquire(ctx context.Context, name string, ttl time.Duration) error
	Renew(ctx context.Context, name string, ttl time.Duration) error
	Release(ctx context.Context, name string) error
}

// ErrLost says that the lease could not be renewed in time.
var ErrLost = errors.New("lease lost")

// Holder does work under a lease.
type Holder struct {
	table Table
	ttl   time.Duration
}

// NewHolder holds leases for ttl.
func NewHolder(t Table, ttl time.Duration) *Holder { return &Holder{table: t, ttl: ttl} }

func (h *Holder) renew(ctx context.Context, name string, lost context.CancelCauseFunc) {
	tick := time.NewTicker(h.ttl / 3)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		one, cancel := context.WithTimeout(ctx, h.ttl/3)
		sent := time.Now()
		err := h.table.Renew(one, name, h.ttl)
		cancel()
		if err == nil {
			last = sent
		} else if time.Since(last) > 2*h.ttl/3 {
			lost(ErrLost)
			return
		}
	}
}

// Do runs fn while the lease is held.
func (h *Holder) Do(ctx context.Context, name string, fn func(context.Context) error) error {
	if err := h.table.Acquire(ctx, name, h.ttl); err != nil {
		return err
	}
	work, cancel := context.WithCancelCause(ctx)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		h.renew(work, name, cancel)
	}()
	err := fn(work)
	cause := context.Cause(work)
	cancel(nil)
	wg.Wait()
	if errors.Is(cause, ErrLost) {
		return errors.Join(ErrLost, err)
	}
	clean, done := context.WithTimeout(context.WithoutCancel(ctx), h.ttl)
	defer done()
	return errors.Join(err, h.table.Release(clean, name))
}
