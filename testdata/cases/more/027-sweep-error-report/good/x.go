package sweep

import (
	"context"
	"fmt"
)

type Result struct {
	Key string
	Err error
}

// Blocks can be listed and removed.
type Blocks interface {
	Keys(ctx context.Context) (<-chan string, error)
	Delete(ctx context.Context, key string) error
}

// Sweep removes every block that keep does not want and reports on it.
func Sweep(ctx context.Context, b Blocks, keep func(string) bool) <-chan Result {
	out := make(chan Result, 16)
	go func() {
		defer close(out)
		keys, err := b.Keys(ctx)
		if err != nil {
			out <- Result{Err: err}
			return
		}
		failed := 0
		for {
			select {
			case k, ok := <-keys:
				if !ok {
					if failed > 0 {
						report(ctx, out, Result{Err: fmt.Errorf("%d blocks not removed", failed)})
					}
					return
				}
				if keep(k) {
					continue
				}
				if err := b.Delete(ctx, k); err != nil {
					failed++
					if !report(ctx, out, Result{Key: k, Err: err}) {
						return
					}
					continue
				}
				if !report(ctx, out, Result{Key: k}) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func report(ctx context.Context, out chan<- Result, r Result) bool {
	select {
	case out <- r:
		return true
	case <-ctx.Done():
		return false
	}
}
