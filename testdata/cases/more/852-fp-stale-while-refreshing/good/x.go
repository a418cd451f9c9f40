// Package good keeps rendered price lists and renews them behind the readers.
package good

import (
	"context"
	"log"
	"sync"
	"time"
)

// Load makes the value of a key.
type Load[V any] func(ctx context.Context, key string) (V, error)

type slot[V any] struct {
	value      V
	made       time.Time
	refreshing bool
}

// Cache serves values up to the age of ttl as they are, and older ones while
// it makes new ones.
type Cache[V any] struct {
	load  Load[V]
	ttl   time.Duration
	limit time.Duration

	quit context.Context
	halt context.CancelFunc
	wg   sync.WaitGroup

	mu     sync.Mutex
	closed bool
	slots  map[string]*slot[V]
}

// New returns an empty cache.
func New[V any](load Load[V], ttl, limit time.Duration) *Cache[V] {
	quit, halt := context.WithCancel(context.Background())
	return &Cache[V]{load: load, ttl: ttl, limit: limit, quit: quit, halt: halt, slots: make(map[string]*slot[V])}
}

// Get returns the value of key; the first one is made within ctx.
func (c *Cache[V]) Get(ctx context.Context, key string) (V, error) {
	if v, ok := c.stored(ctx, key); ok {
		return v, nil
	}
	v, err := c.load(ctx, key)
	if err != nil {
		return v, err
	}
	c.store(key, v)
	return v, nil
}

func (c *Cache[V]) stored(ctx context.Context, key string) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.slots[key]
	if !ok {
		var zero V
		return zero, false
	}
	if time.Since(s.made) > c.ttl && !s.refreshing && !c.closed {
		s.refreshing = true
		c.wg.Add(1)
		go c.refresh(context.WithoutCancel(ctx), key)
	}
	return s.value, true
}

// refresh keeps the values of the request, such as its trace.
func (c *Cache[V]) refresh(ctx context.Context, key string) {
	defer c.wg.Done()
	ctx, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	stop := context.AfterFunc(c.quit, cancel)
	defer stop()

	v, err := c.load(ctx, key)
	if err != nil {
		log.Printf("cache: refreshing %s: %v", key, err)
		c.mu.Lock()
		c.slots[key].refreshing = false
		c.mu.Unlock()
		return
	}
	c.store(key, v)
}

func (c *Cache[V]) store(key string, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slots[key] = &slot[V]{value: v, made: time.Now()}
}

// Close ends the refreshing that is under way.
func (c *Cache[V]) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.halt()
	c.wg.Wait()
}
