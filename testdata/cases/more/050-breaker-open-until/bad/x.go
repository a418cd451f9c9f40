package breaker

import (
	"errors"
	"sync/atomic"
	"time"
)

var ErrOpen = errors.New("circuit open")

// Breaker stops calls for a while after failures.
type Breaker struct {
	fails     atomic.Int32
	openUntil atomic.Int64
	limit     int32
	cool      time.Duration
}

func New(limit int, cool time.Duration) *Breaker {
	return &Breaker{limit: int32(limit), cool: cool}
}

func (b *Breaker) allow() bool {
	u := b.openUntil.Load()
	return u == 0 || time.Now().UnixMilli() >= u // BUG(wallclock)
}

func (b *Breaker) note(err error) {
	if err == nil {
		b.fails.Store(0)
		b.openUntil.Store(0)
		return
	}
	if b.fails.Add(1) >= b.limit {
		b.openUntil.Store(time.Now().Add(b.cool).UnixMilli()) // ALT(wallclock)
	}
}

// Do calls fn unless the circuit is open.
func Do[T any](b *Breaker, fn func() (T, error)) (T, error) {
	if !b.allow() {
		var zero T
		return zero, ErrOpen
	}
	v, err := fn()
	b.note(err)
	return v, err
}
