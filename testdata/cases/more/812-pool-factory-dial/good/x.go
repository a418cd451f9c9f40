// Package good is a client of a line based key-value server.
package good

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// ErrMissing says that a key has no value.
var ErrMissing = errors.New("no such key")

type wire struct {
	net.Conn
	br *bufio.Reader
}

// pool keeps at most cap(slots) connections.
type pool struct {
	slots chan struct{}
	idle  chan *wire
	open  func(ctx context.Context) (*wire, error)
}

func (p *pool) get(ctx context.Context) (*wire, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case w := <-p.idle:
		return w, nil
	default:
	}
	w, err := p.open(ctx)
	if err != nil {
		<-p.slots
		return nil, err
	}
	return w, nil
}

func (p *pool) put(w *wire, usable bool) {
	if usable && w.SetDeadline(time.Time{}) == nil {
		select {
		case p.idle <- w:
			<-p.slots
			return
		default:
		}
	}
	w.Close()
	<-p.slots
}

// Client is safe for concurrent use.
type Client struct{ pool *pool }

// New returns a client of the server at addr.
func New(addr string, size int, dialTimeout time.Duration) *Client {
	dialer := net.Dialer{Timeout: dialTimeout}
	return &Client{pool: &pool{
		slots: make(chan struct{}, size),
		idle:  make(chan *wire, size),
		open: func(ctx context.Context) (*wire, error) {
			conn, err := dialer.DialContext(ctx, "tcp", addr)
			if err != nil {
				return nil, fmt.Errorf("store: %w", err)
			}
			return &wire{Conn: conn, br: bufio.NewReader(conn)}, nil
		},
	}}
}

// Get returns the value of key.
func (c *Client) Get(ctx context.Context, key string) (string, error) {
	reply, err := c.do(ctx, "GET "+key)
	if err != nil {
		return "", err
	}
	if reply == "-" {
		return "", ErrMissing
	}
	return strings.TrimPrefix(reply, "+"), nil
}

// Delete removes key.
func (c *Client) Delete(ctx context.Context, key string) error {
	_, err := c.do(ctx, "DEL "+key)
	return err
}

func (c *Client) do(ctx context.Context, line string) (string, error) {
	w, err := c.pool.get(ctx)
	if err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { _ = w.SetDeadline(time.Unix(1, 0)) })
	reply, err := w.roundTrip(line)
	untouched := stop()
	c.pool.put(w, err == nil && untouched)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return reply, err
}

func (w *wire) roundTrip(line string) (string, error) {
	if _, err := w.Write([]byte(line + "\r\n")); err != nil {
		return "", err
	}
	reply, err := w.br.ReadString('\n')
	return strings.TrimRight(reply, "\r\n"), err
}
