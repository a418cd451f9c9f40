// Package good reads events of a telephone switch from its control socket.
package good

import (
	"bufio"
	"context"
	"net"
	"net/textproto"
	"sync"
	"time"
)

// Event is one event of the switch.
type Event struct {
	Header textproto.MIMEHeader
}

// Conn is a control connection.
type Conn struct {
	conn   net.Conn
	text   *textproto.Reader
	events chan *Event
	failed chan error
	closed chan struct{}
	once   sync.Once
}

// Dial connects and starts to read.
func Dial(ctx context.Context, addr string) (*Conn, error) {
	d := net.Dialer{Timeout: 5 * time.Second}
	nc, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c := &Conn{
		conn:   nc,
		text:   textproto.NewReader(bufio.NewReader(nc)),
		events: make(chan *Event, 64),
		failed: make(chan error, 1),
		closed: make(chan struct{}),
	}
	go c.readLoop()
	return c, nil
}

func (c *Conn) readLoop() {
	for c.readOne() {
	}
}

func (c *Conn) readOne() bool {
	h, err := c.text.ReadMIMEHeader()
	if err != nil {
		c.failed <- err
		return false
	}
	select {
	case c.events <- &Event{Header: h}:
		return true
	case <-c.closed:
		return false
	}
}

// Next returns the next event.
func (c *Conn) Next(ctx context.Context) (*Event, error) {
	select {
	case e := <-c.events:
		return e, nil
	case err := <-c.failed:
		return nil, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close ends the connection.
func (c *Conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.conn.Close()
}
