// Package bad writes the log of a running build to the server.
package bad

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"time"
)

// Build is one run.
type Build struct {
	ID  int64
	Log string
}

// Store keeps builds.
type Store interface {
	UpdateBuild(ctx context.Context, b Build) error
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Runner follows one build.
type Runner struct {
	store Store
	every time.Duration
	out   lockedBuffer
}

// NewRunner makes a Runner.
func NewRunner(s Store) *Runner { return &Runner{store: s, every: 2 * time.Second} }

// Write takes output of the build.
func (r *Runner) Write(p []byte) (int, error) { return r.out.Write(p) }

func (r *Runner) push(ctx context.Context, id int64) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return r.store.UpdateBuild(ctx, Build{ID: id, Log: r.out.String()})
}

// Follow writes the log again and again while the build runs.
func (r *Runner) Follow(ctx context.Context, id int64) {
	ticker := time.NewTicker(r.every)
	defer ticker.Stop()
	for range ticker.C { // ALT(deafctx) ALT(deafwait) ALT(blindretry)
		if err := r.push(ctx, id); err != nil { // BUG(deafctx) ALT(blindretry)
			slog.Error("failed update build", "id", id, "err", err)
			continue
		}
	}
}
