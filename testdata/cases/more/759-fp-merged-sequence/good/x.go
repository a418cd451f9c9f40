// Package good merges the findings of several scanners into one sequence.
package good

import (
	"context"
	"iter"
	"sync"
)

// Finding is one result.
type Finding struct {
	Scanner string
	Text    string
}

// Scanner yields findings.
type Scanner interface {
	Scan(ctx context.Context, target string, report func(Finding) error) error
}

// All runs the scanners side by side; they end when the consumer stops.
func All(ctx context.Context, target string, scanners ...Scanner) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()
		type item struct {
			f   Finding
			err error
		}
		out := make(chan item)
		pass := func(i item) error {
			select {
			case out <- i:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		for _, s := range scanners {
			wg.Add(1)
			go func() {
				defer wg.Done()
				err := s.Scan(ctx, target, func(f Finding) error { return pass(item{f: f}) })
				if err != nil {
					_ = pass(item{err: err})
				}
			}()
		}
		go func() {
			wg.Wait()
			close(out)
		}()
		for i := range out {
			if !yield(i.f, i.err) {
				return
			}
		}
	}
}
