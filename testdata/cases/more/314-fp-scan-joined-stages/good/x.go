package scan

import (
	"context"
	"errors"
	"io/fs"
	"sync"
)

// Hit is a file that matched.
type Hit struct{ Path string }

// Scanner reads files and looks for matches.
type Scanner struct {
	root    fs.FS
	match   func([]byte) bool
	workers int
}

// New looks at files with some workers.
func New(root fs.FS, match func([]byte) bool, workers int) *Scanner {
	return &Scanner{root: root, match: match, workers: workers}
}

func (s *Scanner) walk(ctx context.Context, paths chan<- string) error {
	defer close(paths)
	return fs.WalkDir(s.root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		select {
		case paths <- p:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

func (s *Scanner) read(ctx context.Context, paths <-chan string, hits chan<- Hit) error {
	for p := range paths {
		b, err := fs.ReadFile(s.root, p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if !s.match(b) {
			continue
		}
		select {
		case hits <- Hit{Path: p}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Scan gives all hits, or the first error.
func (s *Scanner) Scan(ctx context.Context) ([]Hit, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	paths, hits := make(chan string), make(chan Hit)
	var wg sync.WaitGroup
	run := func(stage func() error) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := stage(); err != nil {
				cancel(err)
			}
		}()
	}
	run(func() error { return s.walk(ctx, paths) })
	for range s.workers {
		run(func() error { return s.read(ctx, paths, hits) })
	}
	go func() {
		wg.Wait()
		close(hits)
	}()
	var all []Hit
	for h := range hits {
		all = append(all, h)
	}
	return all, context.Cause(ctx)
}
