// Package bad collects spans and exports them in batches.
package bad

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// ErrStopped is returned once Run has ended.
var ErrStopped = errors.New("batcher stopped")

// Span is one piece of a trace.
type Span struct {
	Name  string
	Start time.Time
	End   time.Time
}

// Exporter ships spans.
type Exporter interface {
	Export(ctx context.Context, spans []Span) error
}

type item struct {
	span    Span
	flushed chan struct{}
}

// Batcher gathers spans.
type Batcher struct {
	exp     Exporter
	size    int
	every   time.Duration
	limit   time.Duration
	queue   chan item
	stopped chan struct{}
}

// New returns a batcher with the usual limits.
func New(exp Exporter) *Batcher {
	return &Batcher{
		exp:     exp,
		size:    512,
		every:   5 * time.Second,
		limit:   30 * time.Second,
		queue:   make(chan item, 2048),
		stopped: make(chan struct{}),
	}
}

// OnEnd takes a finished span, or drops it if there is no room.
func (b *Batcher) OnEnd(s Span) {
	select {
	case b.queue <- item{span: s}:
	default:
	}
}

// Run exports until ctx ends.
func (b *Batcher) Run(ctx context.Context) {
	defer close(b.stopped)
	tick := time.NewTicker(b.every)
	defer tick.Stop()
	var batch []Span
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			batch = b.ship(ctx, batch)
		case it := <-b.queue:
			if it.flushed != nil {
				batch = b.ship(ctx, batch)
				close(it.flushed)
				continue
			}
			if batch = append(batch, it.span); len(batch) >= b.size {
				batch = b.ship(ctx, batch)
			}
		}
	}
}

func (b *Batcher) ship(ctx context.Context, batch []Span) []Span {
	if len(batch) == 0 {
		return batch
	}
	ctx, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	if err := b.exp.Export(ctx, batch); err != nil {
		slog.WarnContext(ctx, "spans lost", "n", len(batch), "err", err)
	}
	return batch[:0]
}

// ForceFlush returns when all spans that ended before the call are exported.
func (b *Batcher) ForceFlush(ctx context.Context) error {
	flushed, err := b.mark() // BUG(deafwait)
	if err != nil {
		return err
	}
	select {
	case <-flushed:
		return nil
	case <-b.stopped:
		return ErrStopped
	case <-ctx.Done():
		return ctx.Err()
	}
}

// mark puts a mark behind the spans that are queued.
func (b *Batcher) mark() (<-chan struct{}, error) {
	flushed := make(chan struct{})
	select { // ALSO(deafwait)
	case b.queue <- item{flushed: flushed}:
		return flushed, nil
	case <-b.stopped:
		return nil, ErrStopped
	}
}
