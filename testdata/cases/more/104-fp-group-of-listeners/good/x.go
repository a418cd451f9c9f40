package fanout

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// Shard is one place to read from.
type Shard interface {
	Name() string
	Fetch(ctx context.Context, key string) ([]byte, error)
}

type item struct {
	key string
	val []byte
}

// Collect reads all keys from the shard each belongs to.
func Collect(ctx context.Context, pick func(string) Shard, keys []string, workers int) (map[string][]byte, error) {
	g, ctx := errgroup.WithContext(ctx)
	todo := make(chan string)
	done := make(chan item)
	g.Go(func() error {
		defer close(todo)
		for _, k := range keys {
			select {
			case todo <- k:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	inner, ictx := errgroup.WithContext(ctx)
	for i := 0; i < workers; i++ {
		inner.Go(func() error {
			for k := range todo {
				v, err := pick(k).Fetch(ictx, k)
				if err != nil {
					return fmt.Errorf("%s: %w", pick(k).Name(), err)
				}
				select {
				case done <- item{k, v}:
				case <-ictx.Done():
					return ictx.Err()
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		defer close(done)
		return inner.Wait()
	})
	out := make(map[string][]byte, len(keys))
	for it := range done {
		out[it.key] = it.val
	}
	return out, g.Wait()
}
