// Package good offers the events of a device hub as a sequence.
package good

import (
	"context"
	"iter"
	"sync"
)

// Event is a change of a device.
type Event struct {
	Device string
	State  string
}

// Hub passes events to all who listen.
type Hub struct {
	mu   sync.Mutex
	subs map[*sub]struct{}
}

type sub struct {
	c      chan Event
	missed int
}

// NewHub makes a Hub.
func NewHub() *Hub { return &Hub{subs: map[*sub]struct{}{}} }

// Post passes e on; who is slow misses it.
func (h *Hub) Post(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.subs {
		select {
		case s.c <- e:
		default:
			s.missed++
		}
	}
}

func (h *Hub) join() *sub {
	s := &sub{c: make(chan Event, 32)}
	h.mu.Lock()
	h.subs[s] = struct{}{}
	h.mu.Unlock()
	return s
}

func (h *Hub) leave(s *sub) {
	h.mu.Lock()
	delete(h.subs, s)
	h.mu.Unlock()
}

// Events yields the events from now on until ctx ends.
func (h *Hub) Events(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		s := h.join()
		defer h.leave(s)
		for {
			select {
			case e := <-s.c:
				if !yield(e, nil) {
					return
				}
			case <-ctx.Done():
				yield(Event{}, ctx.Err())
				return
			}
		}
	}
}

// WaitFor returns when device has state.
func (h *Hub) WaitFor(ctx context.Context, device, state string) error {
	for e, err := range h.Events(ctx) {
		if err != nil {
			return err
		}
		if e.Device == device && e.State == state {
			break
		}
	}
	return nil
}
