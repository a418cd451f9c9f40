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
	change *sync.Cond
	active bool
	closed bool
}

func newLink() *link {
	l := &link{}
	l.change = sync.NewCond(&l.mu)
	return l
}

// set is called by the reader and by the reconnect logic.
func (l *link) set(active, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active, l.closed = active, closed
	l.change.Broadcast()
}

// await returns when the link is active.
func (l *link) await(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.active {
		if l.closed {
			return ErrClosed
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		l.change.Wait() // BUG(deafwait)
	}
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
