// Package good holds requests back while a shard changes its primary.
package good

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrFull says that no more requests can be held back.
var ErrFull = errors.New("buffer full")

type held struct {
	done chan struct{}
	err  error
}

// Buffer holds the requests of one shard.
type Buffer struct {
	mu     sync.Mutex
	active bool
	limit  int
	queue  []*held
}

// New makes a Buffer for at most limit requests.
func New(limit int) *Buffer { return &Buffer{limit: limit} }

// Begin is called when the primary is lost.
func (b *Buffer) Begin() {
	b.mu.Lock()
	b.active = true
	b.mu.Unlock()
}

// End is called when the topology names a new primary.
func (b *Buffer) End(err error) {
	b.mu.Lock()
	q := b.queue
	b.queue, b.active = nil, false
	b.mu.Unlock()
	for _, h := range q {
		h.err = err
		close(h.done)
	}
}

func (b *Buffer) enter() (*held, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.active {
		return nil, nil
	}
	if len(b.queue) >= b.limit {
		return nil, ErrFull
	}
	h := &held{done: make(chan struct{})}
	b.queue = append(b.queue, h)
	return h, nil
}

func (b *Buffer) leave(h *held) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.queue, h); i >= 0 {
		b.queue = slices.Delete(b.queue, i, i+1)
	}
}

// Execute runs query, after the failover if there is one.
func (b *Buffer) Execute(ctx context.Context, query func(context.Context) error) error {
	h, err := b.enter()
	if err != nil {
		return err
	}
	if h != nil {
		select {
		case <-h.done:
		case <-ctx.Done():
			b.leave(h)
			return ctx.Err()
		}
		if h.err != nil {
			return h.err
		}
	}
	return query(ctx)
}
