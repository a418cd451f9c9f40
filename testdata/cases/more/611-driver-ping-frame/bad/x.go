// Package wiredb is a database/sql driver for a small wire protocol.
package wiredb

import (
	"bufio"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"io"
	"net"
)

var _ driver.Pinger = (*conn)(nil)

type conn struct {
	nc  net.Conn
	r   *bufio.Reader
	bad bool
}

type dialer interface {
	DialContext(ctx context.Context, network, addr string) (net.Conn, error)
}

func open(ctx context.Context, d dialer, addr string) (*conn, error) {
	nc, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &conn{nc: nc, r: bufio.NewReader(nc)}, nil
}

func (c *conn) writeFrame(op byte, body []byte) error {
	h := make([]byte, 5, 5+len(body))
	h[0] = op
	binary.BigEndian.PutUint32(h[1:], uint32(len(body)))
	_, err := c.nc.Write(append(h, body...)) // ALT(unbounded)
	return err
}

func (c *conn) readFrame() (byte, []byte, error) {
	var h [5]byte
	if _, err := io.ReadFull(c.r, h[:]); err != nil { // ALT(unbounded)
		return 0, nil, err
	}
	b := make([]byte, binary.BigEndian.Uint32(h[1:]))
	_, err := io.ReadFull(c.r, b) // ALT(unbounded)
	return h[0], b, err
}

func (c *conn) roundTrip(op byte, body []byte) ([]byte, error) {
	if err := c.writeFrame(op, body); err != nil {
		c.bad = true
		return nil, err
	}
	got, b, err := c.readFrame()
	if err != nil {
		c.bad = true
		return nil, err
	}
	if got == 'E' {
		return nil, errors.New(string(b))
	}
	return b, nil
}

// Ping asks the server for a sign of life.
func (c *conn) Ping(_ context.Context) error { // BUG(deafctx) ALT(noctx)
	if _, err := c.roundTrip('P', nil); err != nil { // ALT(deafctx) ALT(noctx)
		return driver.ErrBadConn
	}
	return nil
}

func (c *conn) IsValid() bool { return !c.bad }

func (c *conn) Close() error { return c.nc.Close() }
