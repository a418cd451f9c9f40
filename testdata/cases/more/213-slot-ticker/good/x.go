package slots

import (
	"context"
	"log"
	"sync/atomic"
	"time"
)

// Beacon answers with the head of the chain.
type Beacon interface {
	Head(ctx context.Context) (uint64, error)
}

// Follower keeps the newest slot.
type Follower struct {
	node Beacon
	slot time.Duration
	head atomic.Uint64
}

// Option changes a follower.
type Option func(*Follower)

// WithSlot sets how long a slot takes.
func WithSlot(d time.Duration) Option { return func(f *Follower) { f.slot = d } }

// New follows a node.
func New(node Beacon, opts ...Option) *Follower {
	f := &Follower{node: node, slot: 12 * time.Second}
	for _, o := range opts {
		o(f)
	}
	return f
}

// Run follows the chain until ctx ends.
func (f *Follower) Run(ctx context.Context) error {
	ticker := time.NewTicker(f.slot)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
		if err := f.advance(ctx); err != nil {
			log.Printf("head: %v", err)
		}
	}
}

func (f *Follower) advance(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, f.slot/2)
	defer cancel()
	n, err := f.node.Head(ctx)
	if err != nil {
		return err
	}
	if n > f.head.Load() {
		f.head.Store(n)
	}
	return nil
}

// Head is the newest slot seen.
func (f *Follower) Head() uint64 { return f.head.Load() }
