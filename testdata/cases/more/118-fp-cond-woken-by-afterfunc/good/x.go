package mailbox

import (
	"context"
	"sync"
)

// Box is an unbounded queue.
type Box[T any] struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []T
	shut  bool
}

func New[T any]() *Box[T] {
	b := new(Box[T])
	b.cond = sync.NewCond(&b.mu)
	return b
}

func (b *Box[T]) Put(v T) {
	b.mu.Lock()
	b.items = append(b.items, v)
	b.mu.Unlock()
	b.cond.Signal()
}

func (b *Box[T]) wakeOn(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.cond.Broadcast()
	})
}

// Take waits for an item.
func (b *Box[T]) Take(ctx context.Context) (v T, err error) {
	stop := b.wakeOn(ctx)
	defer stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == 0 && !b.shut {
		if err := ctx.Err(); err != nil {
			return v, err
		}
		b.cond.Wait()
	}
	if len(b.items) == 0 {
		return v, context.Canceled
	}
	v, b.items = b.items[0], b.items[1:]
	return v, nil
}

func (b *Box[T]) Close() {
	b.mu.Lock()
	b.shut = true
	b.mu.Unlock()
	b.cond.Broadcast()
}
