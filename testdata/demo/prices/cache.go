package prices

import (
	"sync"
	"time"
)

// Cache remembers prices for a while.
type Cache struct {
	mu    sync.Mutex
	ttl   time.Duration
	known map[string]entry
}

type entry struct {
	price int
	until time.Time
}

// NewCache returns an empty cache.
func NewCache(ttl time.Duration) *Cache {
	return &Cache{ttl: ttl, known: map[string]entry{}}
}

// Put remembers a price.
func (c *Cache) Put(item string, price int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[item] = entry{price, time.Now().UTC().Add(c.ttl)}
}

// Get returns a price that is not too old.
func (c *Cache) Get(item string) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.known[item]
	return e.price, ok && time.Now().Before(e.until)
}
