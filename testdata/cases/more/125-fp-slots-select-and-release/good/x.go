package crawl

import (
	"context"
	"errors"
	"sync"
)

// Fetcher loads one address.
type Fetcher interface {
	Fetch(ctx context.Context, url string) (links []string, err error)
}

type Crawler struct {
	f     Fetcher
	slots chan struct{}
}

func New(f Fetcher, n int) *Crawler { return &Crawler{f: f, slots: make(chan struct{}, n)} }

func (c *Crawler) one(ctx context.Context, url string) ([]string, error) {
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-c.slots }()
	return c.f.Fetch(ctx, url)
}

// Level fetches all urls and returns the links found.
func (c *Crawler) Level(ctx context.Context, urls []string) ([]string, error) {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		found []string
		errs  []error
	)
	for _, u := range urls {
		wg.Add(1)
		go func() {
			defer wg.Done()
			links, err := c.one(ctx, u)
			mu.Lock()
			defer mu.Unlock()
			found = append(found, links...)
			if err != nil {
				errs = append(errs, err)
			}
		}()
	}
	wg.Wait()
	return found, errors.Join(errs...)
}
