package batcher

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Exporter sends one batch.
type Exporter interface {
	Export(ctx context.Context, batch []string) error
}

// Batcher collects items and exports them in the background.
type Batcher struct {
	exp    Exporter
	in     chan string
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup
}

func New(exp Exporter, every time.Duration, size int) *Batcher {
	b := &Batcher{exp: exp, in: make(chan string, size)}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	b.wg.Add(1)
	go b.loop(every, size)
	return b
}

func (b *Batcher) loop(every time.Duration, size int) {
	defer b.wg.Done()
	t := time.NewTicker(every)
	defer t.Stop()
	var batch []string
	flush := func() {
		if len(batch) == 0 {
			return
		}
		ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
		defer cancel()
		if err := b.exp.Export(ctx, batch); err != nil {
			slog.Warn("export", "lost", len(batch), "err", err)
		}
		batch = batch[:0]
	}
	for {
		select {
		case s := <-b.in:
			if batch = append(batch, s); len(batch) == size {
				flush()
			}
		case <-t.C:
			flush()
		case <-b.ctx.Done():
			return
		}
	}
}

// Add hands one item to the batcher.
func (b *Batcher) Add(ctx context.Context, s string) error {
	select {
	case b.in <- s:
		return nil
	case <-b.ctx.Done():
		return b.ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close stops the worker and waits for it.
func (b *Batcher) Close() {
	b.cancel()
	b.wg.Wait()
}
