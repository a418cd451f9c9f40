// Package bad streams build events to browsers.
package bad

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// ErrStopped is returned once the hub has ended.
var ErrStopped = errors.New("hub stopped")

// Event is one step of a build.
type Event struct {
	Build string `json:"build"`
	Step  string `json:"step"`
}

type sub struct{ events chan Event }

// Hub passes events to its subscribers.
type Hub struct {
	join    chan *sub
	leave   chan *sub
	publish chan Event
	stopped chan struct{}
}

// NewHub returns a hub that works while Run does.
func NewHub() *Hub {
	return &Hub{
		join:    make(chan *sub),
		leave:   make(chan *sub),
		publish: make(chan Event),
		stopped: make(chan struct{}),
	}
}

// Run serves the hub until ctx ends.
func (h *Hub) Run(ctx context.Context) {
	defer close(h.stopped)
	subs := map[*sub]struct{}{}
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-h.join:
			subs[s] = struct{}{}
		case s := <-h.leave:
			delete(subs, s)
		case e := <-h.publish:
			for s := range subs {
				select {
				case s.events <- e:
				default:
				}
			}
		}
	}
}

// Publish hands an event to all subscribers.
func (h *Hub) Publish(ctx context.Context, e Event) error {
	select {
	case h.publish <- e:
		return nil
	case <-h.stopped:
		return ErrStopped
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Subscribe delivers events until ctx ends.
func (h *Hub) Subscribe(ctx context.Context) (<-chan Event, error) {
	s := &sub{events: make(chan Event, 32)}
	select {
	case h.join <- s:
	case <-h.stopped:
		return nil, ErrStopped
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	go h.remove(ctx, s) // ALSO(orphan)
	return s.events, nil
}

func (h *Hub) remove(ctx context.Context, s *sub) {
	<-ctx.Done()
	h.leave <- s // BUG(orphan)
}

// ServeHTTP streams events to one browser.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	events, err := h.Subscribe(ctx)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	for {
		select {
		case e := <-events:
			b, err := json.Marshal(e)
			if err != nil {
				return
			}
			fmt.Fprintf(w, "data: %s\n\n", b)
			if rc.Flush() != nil {
				return
			}
		case <-h.stopped:
			return
		case <-ctx.Done():
			return
		}
	}
}
