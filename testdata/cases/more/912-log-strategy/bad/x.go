// Package bad waits until freshly started containers can be used.
package bad

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// ErrStreamEnded is returned if the container's output ends too early.
var ErrStreamEnded = errors.New("log stream ended")

// Target is a started container.
type Target interface {
	// Lines delivers the output until the container is removed.
	Lines() <-chan string
	Address(ctx context.Context, port int) (string, error)
}

// Strategy decides when a target is ready.
type Strategy interface {
	WaitUntilReady(ctx context.Context, t Target) error
}

// LogStrategy waits for a line of output.
type LogStrategy struct {
	text  string
	times int
}

// ForLog waits for a line that contains text.
func ForLog(text string) *LogStrategy { return &LogStrategy{text: text, times: 1} }

// Times sets how often the line must appear.
func (s *LogStrategy) Times(n int) *LogStrategy {
	s.times = n
	return s
}

// WaitUntilReady implements Strategy.
func (s *LogStrategy) WaitUntilReady(_ context.Context, t Target) error { // ALSO(deafctx)
	seen := 0
	for line := range t.Lines() { // BUG(deafctx)
		if strings.Contains(line, s.text) {
			seen++
		}
		if seen >= s.times {
			return nil
		}
	}
	return fmt.Errorf("%q: %w", s.text, ErrStreamEnded)
}

// PortStrategy waits until a port accepts connections.
type PortStrategy struct {
	port  int
	every time.Duration
}

// ForPort waits for the given port.
func ForPort(port int) *PortStrategy {
	return &PortStrategy{port: port, every: 100 * time.Millisecond}
}

// WaitUntilReady implements Strategy.
func (s *PortStrategy) WaitUntilReady(ctx context.Context, t Target) error {
	addr, err := t.Address(ctx, s.port)
	if err != nil {
		return err
	}
	var d net.Dialer
	for {
		conn, err := d.DialContext(ctx, "tcp", addr)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("port %d: %w", s.port, ctx.Err())
		case <-time.After(s.every):
		}
	}
}

type all struct {
	limit time.Duration
	parts []Strategy
}

// ForAll waits for each part in turn, for no longer than limit.
func ForAll(limit time.Duration, parts ...Strategy) Strategy {
	return &all{limit: limit, parts: parts}
}

func (a *all) WaitUntilReady(ctx context.Context, t Target) error {
	ctx, cancel := context.WithTimeout(ctx, a.limit)
	defer cancel()
	for _, p := range a.parts {
		if err := p.WaitUntilReady(ctx, t); err != nil {
			return err
		}
	}
	return nil
}
