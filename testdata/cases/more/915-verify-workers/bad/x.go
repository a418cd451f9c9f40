// Package bad compares a bucket with the list of checksums that belongs to it.
package bad

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Store is the bucket.
type Store interface {
	// Walk calls fn for each key until fn returns an error.
	Walk(ctx context.Context, prefix string, fn func(key string) error) error
	Sum(ctx context.Context, key string) (string, error)
}

// Report is the outcome of a verification.
type Report struct {
	Checked int
	Broken  []string
}

type tally struct {
	mu     sync.Mutex
	report Report
}

func (t *tally) add(key string, intact bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.report.Checked++
	if !intact {
		t.report.Broken = append(t.report.Broken, key)
	}
}

func (t *tally) result() *Report {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.report
	sort.Strings(r.Broken)
	return &r
}

// Verifier checks objects in parallel.
type Verifier struct {
	store   Store
	sums    map[string]string
	workers int
}

// NewVerifier returns a verifier with eight workers.
func NewVerifier(s Store, sums map[string]string) *Verifier {
	return &Verifier{store: s, sums: sums, workers: 8}
}

// Verify checks everything below prefix.
func (v *Verifier) Verify(ctx context.Context, prefix string) (*Report, error) {
	var (
		keys = make(chan string)
		wg   sync.WaitGroup
		t    tally
	)
	for range v.workers {
		wg.Add(1)
		go func() { // ALSO(orphan)
			defer wg.Done()
			v.work(ctx, keys, &t)
		}()
	}
	if err := v.feed(ctx, prefix, keys); err != nil {
		return nil, fmt.Errorf("list %s: %w", prefix, err) // ALSO(orphan)
	}
	wg.Wait()
	return t.result(), ctx.Err()
}

func (v *Verifier) feed(ctx context.Context, prefix string, keys chan<- string) error {
	err := v.store.Walk(ctx, prefix, func(key string) error {
		if strings.HasSuffix(key, "/") {
			return nil
		}
		select {
		case keys <- key:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if err != nil {
		return err // ALSO(orphan)
	}
	close(keys)
	return nil
}

func (v *Verifier) work(ctx context.Context, keys <-chan string, t *tally) {
	for key := range keys { // BUG(orphan)
		sum, err := v.store.Sum(ctx, key)
		t.add(key, err == nil && sum == v.sums[key])
	}
}
