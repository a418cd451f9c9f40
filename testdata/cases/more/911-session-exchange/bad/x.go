// Package bad talks to a job queue server over a line protocol.
package bad

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"
)

// ErrBroken is returned by a session after a failed exchange.
var ErrBroken = errors.New("session broken")

type traceKey struct{}

// WithTrace names the request on whose behalf commands are sent.
func WithTrace(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, traceKey{}, id)
}

func trace(ctx context.Context) string {
	id, _ := ctx.Value(traceKey{}).(string)
	return id
}

// Session is one connection; it must not be used concurrently.
type Session struct {
	conn   net.Conn
	r      *bufio.Reader
	broken bool
}

// Dial connects and reads the server's greeting.
func Dial(ctx context.Context, addr string) (*Session, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &Session{conn: conn, r: bufio.NewReader(conn)}
	stop := s.watch(ctx)
	greeting, err := s.r.ReadString('\n')
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("greeting: %w", err)
	}
	if !strings.HasPrefix(greeting, "HELLO") {
		conn.Close()
		return nil, fmt.Errorf("unexpected greeting %q", greeting)
	}
	return s, nil
}

// watch interrupts reads and writes when ctx ends.
func (s *Session) watch(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() { _ = s.conn.SetDeadline(time.Now()) })
}

// Put stores a job and returns its number.
func (s *Session) Put(ctx context.Context, queue, payload string) (string, error) {
	return s.run(ctx, "PUT", queue, fmt.Sprintf("%q", payload))
}

// Reserve takes a job out of a queue, waiting for one if it is empty.
func (s *Session) Reserve(ctx context.Context, queue string) (string, error) {
	return s.run(ctx, "RESERVE", queue)
}

func (s *Session) run(ctx context.Context, words ...string) (string, error) { // ALSO(deafctx)
	if s.broken {
		return "", ErrBroken
	}
	slog.DebugContext(ctx, "command", "trace", trace(ctx), "name", words[0])
	reply, err := s.exchange(strings.Join(words, " ")) // BUG(deafctx)
	if err != nil {
		s.broken = true
		s.conn.Close()
		return "", fmt.Errorf("%s: %w", words[0], err)
	}
	body, ok := strings.CutPrefix(reply, "OK ")
	if !ok {
		return "", fmt.Errorf("%s: server says %q", words[0], reply)
	}
	return body, nil
}

func (s *Session) exchange(line string) (string, error) {
	if _, err := fmt.Fprintf(s.conn, "%s\r\n", line); err != nil { // ALSO(deafctx)
		return "", err
	}
	reply, err := s.r.ReadString('\n') // ALSO(deafctx)
	return strings.TrimRight(reply, "\r\n"), err
}

// Close ends the session.
func (s *Session) Close() error { return s.conn.Close() }
