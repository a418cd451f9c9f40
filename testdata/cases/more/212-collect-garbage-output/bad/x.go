package gc

import (
	"context"
	"fmt"
)

// Result is a removed key or an error.
type Result struct {
	Key string
	Err error
}

// Blocks is the store to be cleaned.
type Blocks interface {
	Keys(ctx context.Context) (<-chan string, error)
	Delete(ctx context.Context, key string) error
}

// Marker finds what must stay.
type Marker interface {
	Mark(ctx context.Context, report func(error)) (map[string]struct{}, error)
}

// Collect removes all blocks that mark does not name.
func Collect(ctx context.Context, bs Blocks, mk Marker) <-chan Result {
	ctx, cancel := context.WithCancel(ctx)
	out := make(chan Result, 128)
	go func() {
		defer cancel()
		defer close(out)
		keep, err := mk.Mark(ctx, func(err error) {
			select {
			case out <- Result{Err: err}:
			case <-ctx.Done():
			}
		})
		if err != nil {
			emitLast(ctx, out, err)
			return
		}
		keys, err := bs.Keys(ctx)
		if err != nil {
			emitLast(ctx, out, err)
			return
		}
		sweep(ctx, bs, keep, keys, out)
	}()
	return out
}

func emitLast(ctx context.Context, out chan<- Result, err error) {
	select {
	case out <- Result{Err: err}:
	case <-ctx.Done():
	}
}

func sweep(ctx context.Context, bs Blocks, keep map[string]struct{}, keys <-chan string, out chan<- Result) {
	failed := 0
	for {
		select {
		case <-ctx.Done():
			return
		case k, ok := <-keys:
			if !ok {
				if failed > 0 {
					emitLast(ctx, out, fmt.Errorf("%d blocks stay", failed))
				}
				return
			}
			if _, ok := keep[k]; ok {
				continue
			}
			if err := bs.Delete(ctx, k); err != nil {
				failed++
				out <- Result{Key: k, Err: err} // BUG(deafwait)
				continue
			}
			select {
			case out <- Result{Key: k}:
			case <-ctx.Done():
				return
			}
		}
	}
}
