package budget

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

var ErrExhausted = errors.New("exhausted")

// Budget is a shared amount.
type Budget struct {
	left atomic.Int64
}

func New(n int64) *Budget {
	b := new(Budget)
	b.left.Store(n)
	return b
}

// Take removes n; it gives up after some lost races.
func (b *Budget) Take(ctx context.Context, n int64) error {
	for i := 0; i < 16; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		cur := b.left.Load()
		if cur < n {
			return ErrExhausted
		}
		if b.left.CompareAndSwap(cur, cur-n) {
			return nil
		}
		time.Sleep(time.Millisecond + rand.N(2*time.Millisecond))
	}
	return ErrExhausted
}

func (b *Budget) Give(n int64) { b.left.Add(n) }
