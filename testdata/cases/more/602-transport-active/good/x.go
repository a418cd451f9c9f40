// Package mtp keeps one connection to a data centre and lets callers wait
// until it is usable.
package mtp

import (
	"context"
	"errors"
	"sync"
)

var ErrClosed = errors.New("transport closed")

type link struct {
	mu     sync.Mutex
	change chan struct{}
	active bool
	closed bool
}

func newLink() *link {
	l := &link{}
	l.change = make(chan struct{})
	return l
}

// set is called by the reader and by the reconnect logic.
func (l *link) set(active, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active, l.closed = active, closed
	close(l.change)
	l.change = make(chan struct{})
}

// await returns when the link is active.
func (l *link) await(ctx context.Context) error {
	l.mu.Lock()
	for !l.active {
		if l.closed {
			l.mu.Unlock()
			return ErrClosed
		}
		ch := l.change
		l.mu.Unlock()
		select {
		case <-ch:
		case <-ctx.Done():
			return ctx.Err()
		}
		l.mu.Lock()
	}
	l.mu.Unlock()
	return nil
}

// Codec writes one frame.
type Codec interface {
	WriteFrame(ctx context.Context, b []byte) error
}

// Transport sends calls.
type Transport struct {
	*link
	codec Codec
}

func New(c Codec) *Transport { return &Transport{link: newLink(), codec: c} }

// Up and Down are called by the owner of the socket.
func (t *Transport) Up()   { t.set(true, false) }
func (t *Transport) Down() { t.set(false, false) }

// Close ends every waiter.
func (t *Transport) Close() { t.set(false, true) }

// Invoke sends b as soon as the link is up.
func (t *Transport) Invoke(ctx context.Context, b []byte) error {
	if err := t.await(ctx); err != nil {
		return err
	}
	return t.codec.WriteFrame(ctx, b)
}
