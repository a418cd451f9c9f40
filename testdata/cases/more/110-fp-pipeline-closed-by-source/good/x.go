package pipeline

import (
	"context"
	"crypto/sha256"
	"sync"
)

// Files lists names until ctx ends or there are no more.
type Files interface {
	Next(ctx context.Context) (string, bool)
	Read(ctx context.Context, name string) ([]byte, error)
}

type Sum struct {
	Name string
	Hash [32]byte
	Err  error
}

func source(ctx context.Context, f Files) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		for {
			name, ok := f.Next(ctx)
			if !ok || ctx.Err() != nil {
				return
			}
			select {
			case out <- name:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func hash(ctx context.Context, f Files, in <-chan string, n int) <-chan Sum {
	out := make(chan Sum)
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for name := range in {
				b, err := f.Read(ctx, name)
				select {
				case out <- Sum{name, sha256.Sum256(b), err}:
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

// Sums hashes all files.
func Sums(ctx context.Context, f Files) ([]Sum, error) {
	var all []Sum
	for s := range hash(ctx, f, source(ctx, f), 4) {
		all = append(all, s)
	}
	return all, ctx.Err()
}
