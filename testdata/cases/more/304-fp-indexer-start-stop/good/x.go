package indexer

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Doc is one document.
type Doc struct {
	ID   string
	Text string
}

// Backend is where the index lives.
type Backend interface {
	Ping(ctx context.Context) error
	Index(ctx context.Context, d Doc) error
}

// Indexer writes documents in the background.
type Indexer struct {
	backend Backend
	jobs    chan Doc
	life    context.Context
	end     context.CancelFunc
	wg      sync.WaitGroup
}

// New makes an indexer that does nothing yet.
func New(b Backend, room int) *Indexer {
	x := &Indexer{backend: b, jobs: make(chan Doc, room)}
	x.life, x.end = context.WithCancel(context.Background())
	return x
}

// Start checks the backend and starts workers; ctx bounds the start only.
func (x *Indexer) Start(ctx context.Context, workers int) error {
	if err := x.backend.Ping(ctx); err != nil {
		return fmt.Errorf("indexer: %w", err)
	}
	for range workers {
		x.wg.Add(1)
		go x.work()
	}
	return nil
}

func (x *Indexer) work() {
	defer x.wg.Done()
	for {
		select {
		case <-x.life.Done():
			return
		case d := <-x.jobs:
			x.index(d)
		}
	}
}

func (x *Indexer) index(d Doc) {
	ctx, cancel := context.WithTimeout(x.life, time.Minute)
	defer cancel()
	_ = x.backend.Index(ctx, d)
}

// Add queues a document.
func (x *Indexer) Add(ctx context.Context, d Doc) error {
	select {
	case x.jobs <- d:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-x.life.Done():
		return context.Cause(x.life)
	}
}

// Stop ends the workers.
func (x *Indexer) Stop(ctx context.Context) error {
	x.end()
	idle := make(chan struct{})
	go func() {
		x.wg.Wait()
		close(idle)
	}()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
