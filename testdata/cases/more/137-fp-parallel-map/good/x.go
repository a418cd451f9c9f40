package parallel

import (
	"context"
	"sync"
)

// Map calls fn for every item on n workers and keeps the order.
func Map[T, R any](ctx context.Context, n int, items []T, fn func(context.Context, T) (R, error)) ([]R, error) {
	idx := make(chan int, len(items))
	for i := range items {
		idx <- i
	}
	close(idx)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([]R, len(items))
	var wg sync.WaitGroup
	for range min(n, len(items)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range idx {
				if ctx.Err() != nil {
					return
				}
				r, err := fn(ctx, items[i])
				if err != nil {
					cancel(err)
					return
				}
				out[i] = r
			}
		}()
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return out, nil
}

// Store reads and writes documents.
type Store interface {
	Read(ctx context.Context, id string) ([]byte, error)
}

// ReadAll reads documents in parallel.
func ReadAll(ctx context.Context, st Store, ids []string) ([][]byte, error) {
	return Map(ctx, 8, ids, func(ctx context.Context, id string) ([]byte, error) {
		return st.Read(ctx, id)
	})
}
