// Package good keeps a link to a messaging server and sends frames over it.
package good

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// State of the link.
type State int

// The states of a link.
const (
	Idle State = iota
	Connecting
	Active
	Closed
)

// ErrClosed is returned once the link has been closed for good.
var ErrClosed = errors.New("link closed")

// Monitor records the state of a link and lets others wait for one.
type Monitor struct {
	mu      sync.Mutex
	changed *sync.Cond
	state   State
}

// NewMonitor returns a monitor of an idle link.
func NewMonitor() *Monitor {
	m := &Monitor{}
	m.changed = sync.NewCond(&m.mu)
	return m
}

// Set is called by the link on each transition.
func (m *Monitor) Set(s State) {
	m.mu.Lock()
	if m.state != Closed {
		m.state = s
	}
	m.mu.Unlock()
	m.changed.Broadcast()
}

// Active returns when the link can be used.
func (m *Monitor) Active(ctx context.Context) error {
	return m.until(ctx, func(s State) bool { return s == Active })
}

func (m *Monitor) until(ctx context.Context, ok func(State) bool) error {
	stop := context.AfterFunc(ctx, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.changed.Broadcast()
	})
	defer stop()

	m.mu.Lock()
	defer m.mu.Unlock()
	for !ok(m.state) {
		if m.state == Closed {
			return ErrClosed
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		m.changed.Wait()
	}
	return nil
}

// Wire writes frames.
type Wire interface {
	WriteFrame(ctx context.Context, b []byte) error
}

// Client sends requests once the link is up.
type Client struct {
	monitor *Monitor
	wire    Wire
}

// NewClient returns a client that writes to w while m says that it may.
func NewClient(m *Monitor, w Wire) *Client { return &Client{monitor: m, wire: w} }

// Send writes one message.
func (c *Client) Send(ctx context.Context, topic string, body []byte) error {
	if err := c.monitor.Active(ctx); err != nil {
		return fmt.Errorf("send to %s: %w", topic, err)
	}
	frame := make([]byte, 0, len(topic)+1+len(body))
	frame = append(frame, topic...)
	frame = append(frame, 0)
	frame = append(frame, body...)
	return c.wire.WriteFrame(ctx, frame)
}
