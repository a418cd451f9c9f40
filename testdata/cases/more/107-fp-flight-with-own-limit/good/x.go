package nscache

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Reader reads a namespace from the database.
type Reader interface {
	ReadNamespace(ctx context.Context, name string) ([]byte, error)
}

type Cache struct {
	r     Reader
	limit time.Duration
	group singleflight.Group
	mu    sync.RWMutex
	vals  map[string][]byte
}

func New(r Reader) *Cache {
	return &Cache{r: r, limit: 5 * time.Second, vals: map[string][]byte{}}
}

// Get returns a namespace, loading it at most once at a time.
func (c *Cache) Get(ctx context.Context, name string) ([]byte, error) {
	c.mu.RLock()
	v, ok := c.vals[name]
	c.mu.RUnlock()
	if ok {
		return v, nil
	}
	ch := c.group.DoChan(name, func() (any, error) {
		// one caller's end must not fail the load for the others
		lctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.limit)
		defer cancel()
		b, err := c.r.ReadNamespace(lctx, name)
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		c.vals[name] = b
		c.mu.Unlock()
		return b, nil
	})
	select {
	case r := <-ch:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.([]byte), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
