package eventsocket

import (
	"bufio"
	"context"
	"net"
	"net/textproto"
	"time"
)

// Event is one event of the switch.
type Event = textproto.MIMEHeader

// Conn is a connection to the switch.
type Conn struct {
	net.Conn
	tp *textproto.Reader
}

// Dial connects.
func Dial(ctx context.Context, addr string) (*Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Conn{Conn: c, tp: textproto.NewReader(bufio.NewReader(c))}, nil
}

func (c *Conn) subscribe(what string) error {
	_ = c.SetWriteDeadline(time.Now().Add(5 * time.Second))
	_, err := c.Write([]byte("event plain " + what + "\n\n"))
	return err
}

// Events hands every event to fn until ctx ends. Hours may pass between two
// events, which is why the read has no deadline.
func (c *Conn) Events(ctx context.Context, what string, fn func(Event)) error {
	if err := c.subscribe(what); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	for {
		h, err := c.tp.ReadMIMEHeader()
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return err
		}
		fn(h)
	}
}
