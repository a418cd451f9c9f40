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
	openUntil atomic.Pointer[time.Time]
	limit     int32
	cool      time.Duration
}

func New(limit int, cool time.Duration) *Breaker {
	return &Breaker{limit: int32(limit), cool: cool}
}

func (b *Breaker) allow() bool {
	u := b.openUntil.Load()
	return u == nil || !time.Now().Before(*u)
}

func (b *Breaker) note(err error) {
	if err == nil {
		b.fails.Store(0)
		b.openUntil.Store(nil)
		return
	}
	if b.fails.Add(1) >= b.limit {
		u := time.Now().Add(b.cool)
		b.openUntil.Store(&u)
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
