package catalog

import (
	"context"
	"sync"
	"time"
)

// Item is one item.
type Item struct {
	SKU   string
	Price int64
	read  time.Time
}

// Source is the slow origin.
type Source interface {
	Item(ctx context.Context, sku string) (Item, error)
}

// Cache gives stale items and fetches fresh ones behind the caller's back.
type Cache struct {
	src   Source
	fresh time.Duration
	limit time.Duration

	mu    sync.Mutex
	items map[string]Item
	busy  map[string]bool
}

// NewCache keeps items for fresh.
func NewCache(src Source, fresh time.Duration) *Cache {
	return &Cache{src: src, fresh: fresh, limit: 5 * time.Second, items: map[string]Item{}, busy: map[string]bool{}}
}

// Get gives an item, maybe an old one.
func (c *Cache) Get(ctx context.Context, sku string) (Item, error) {
	c.mu.Lock()
	it, ok := c.items[sku]
	stale := ok && time.Since(it.read) > c.fresh && !c.busy[sku]
	if stale {
		c.busy[sku] = true
	}
	c.mu.Unlock()
	if !ok {
		return c.load(ctx, sku)
	}
	if stale {
		go c.renew(sku)
	}
	return it, nil
}

func (c *Cache) renew(sku string) {
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	_, _ = c.load(ctx, sku)
	c.mu.Lock()
	delete(c.busy, sku)
	c.mu.Unlock()
}

func (c *Cache) load(ctx context.Context, sku string) (Item, error) {
	it, err := c.src.Item(ctx, sku)
	if err != nil {
		return Item{}, err
	}
	it.read = time.Now()
	c.mu.Lock()
	c.items[sku] = it
	c.mu.Unlock()
	return it, nil
}
