package shards

import (
	"context"
	"errors"
	"log"
	"sync/atomic"
)

// Claims hands out shards.
type Claims interface {
	Next(ctx context.Context, worker string) (shard string, err error)
	Done(ctx context.Context, shard string) error
}

// ErrEmpty says that no shard is left.
var ErrEmpty = errors.New("no shard left")

// Worker works on shards.
type Worker struct {
	name   string
	claims Claims
	run    func(ctx context.Context, shard string) error
	failed atomic.Int64
}

// NewWorker runs fn on each shard it gets.
func NewWorker(name string, c Claims, fn func(context.Context, string) error) *Worker {
	return &Worker{name: name, claims: c, run: fn}
}

func (w *Worker) note(what string, err error) {
	w.failed.Add(1)
	log.Printf("%s: %s: %v", w.name, what, err)
}

// Work returns when no shard is left.
func (w *Worker) Work(ctx context.Context) error {
	for { // ALT(deafctx) ALT(retry)
		shard, err := w.claims.Next(ctx, w.name) // ALT(deafctx) ALT(retry)
		if errors.Is(err, ErrEmpty) {
			return nil
		}
		if err != nil { // ALT(deafctx)
			w.note("next", err) // ALT(deafctx)
			continue            // BUG(deafctx) ALT(retry)
		}
		if err := w.run(ctx, shard); err != nil {
			w.note(shard, err)
			continue
		}
		if err := w.claims.Done(ctx, shard); err != nil {
			w.note(shard, err)
		}
	}
}
