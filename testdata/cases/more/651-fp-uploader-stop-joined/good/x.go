// Package ship sends log segments to an object store in the background.
package ship

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

type Store interface {
	Put(ctx context.Context, name string, b []byte) error
}

type segment struct {
	name string
	data []byte
}

// Shipper is started and stopped by its owner.
type Shipper struct {
	store Store
	every time.Duration

	mu   sync.Mutex
	open []segment

	cancel context.CancelFunc
	done   chan struct{}
}

func New(s Store) *Shipper { return &Shipper{store: s, every: 10 * time.Second} }

// Start launches the loop; Stop ends it.
func (s *Shipper) Start(ctx context.Context) error {
	if s.done != nil {
		return errors.New("started twice")
	}
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.done = make(chan struct{})
	go s.loop(ctx)
	return nil
}

func (s *Shipper) loop(ctx context.Context) {
	defer close(s.done)
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := s.ship(ctx); err != nil {
				slog.WarnContext(ctx, "ship", "err", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

func (s *Shipper) take() []segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := s.open
	s.open = nil
	return open
}

func (s *Shipper) ship(ctx context.Context) error {
	var errs []error
	for _, g := range s.take() {
		if err := s.store.Put(ctx, g.name, g.data); err != nil {
			errs = append(errs, err)
			s.Add(g.name, g.data)
		}
	}
	return errors.Join(errs...)
}

// Add queues a segment.
func (s *Shipper) Add(name string, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = append(s.open, segment{name, b})
}

// Stop ends the loop and sends what is left.
func (s *Shipper) Stop(ctx context.Context) error {
	if s.cancel == nil {
		return nil
	}
	s.cancel()
	<-s.done
	return s.ship(ctx)
}
