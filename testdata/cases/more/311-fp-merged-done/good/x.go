package relay

import (
	"context"
	"errors"
	"sync"
	"time"
)

var errClosed = errors.New("relay is closed")

// Relay passes frames on in order.
type Relay struct {
	frames chan []byte
	quit   chan struct{}
	once   sync.Once
	every  time.Duration
}

// New has room for some frames.
func New(room int) *Relay {
	return &Relay{frames: make(chan []byte, room), quit: make(chan struct{}), every: time.Second}
}

// Close ends all that wait.
func (r *Relay) Close() { r.once.Do(func() { close(r.quit) }) }

// scope gives a context that also ends with the relay.
func (r *Relay) scope(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-r.quit:
			cancel(errClosed)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// Send queues a frame.
func (r *Relay) Send(ctx context.Context, frame []byte) error {
	ctx, cancel := r.scope(ctx)
	defer cancel()
	done := ctx.Done()
	select {
	case r.frames <- frame:
		return nil
	case <-done:
		return context.Cause(ctx)
	}
}

// Drain hands frames to fn, and a nil frame when none came for a while.
func (r *Relay) Drain(ctx context.Context, fn func([]byte) error) error {
	ctx, cancel := r.scope(ctx)
	defer cancel()
	done, idle := ctx.Done(), time.NewTicker(r.every)
	defer idle.Stop()
	for {
		var frame []byte
		select {
		case <-done:
			return context.Cause(ctx)
		case <-idle.C:
		case frame = <-r.frames:
			idle.Reset(r.every)
		}
		if err := fn(frame); err != nil {
			return err
		}
	}
}
