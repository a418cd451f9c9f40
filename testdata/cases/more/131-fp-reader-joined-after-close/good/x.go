package stomp

import (
	"bufio"
	"context"
	"errors"
	"net"
	"strings"
	"time"
)

type Frame struct {
	Cmd  string
	Body string
}

// Conn delivers the frames of one connection.
type Conn struct {
	nc    net.Conn
	beat  time.Duration
	frame func(Frame)
}

func New(nc net.Conn, beat time.Duration, fn func(Frame)) *Conn { return &Conn{nc, beat, fn} }

func (c *Conn) read(done chan<- error) {
	br := bufio.NewReader(c.nc)
	for {
		c.nc.SetReadDeadline(time.Now().Add(2 * c.beat))
		s, err := br.ReadString(0)
		if err != nil {
			done <- err
			return
		}
		cmd, body, _ := strings.Cut(strings.Trim(s, "\x00\n"), "\n\n")
		if cmd != "" {
			c.frame(Frame{cmd, body})
		}
	}
}

// Run reads frames and sends heart-beats until ctx ends or the peer leaves.
func (c *Conn) Run(ctx context.Context) error {
	done := make(chan error, 1)
	go c.read(done)
	t := time.NewTicker(c.beat)
	defer t.Stop()
	for {
		select {
		case err := <-done:
			c.nc.Close()
			return err
		case <-t.C:
			c.nc.SetWriteDeadline(time.Now().Add(c.beat))
			if _, err := c.nc.Write([]byte("\n")); err != nil {
				c.nc.Close()
				return errors.Join(err, <-done)
			}
		case <-ctx.Done():
			c.nc.Close()
			<-done
			return ctx.Err()
		}
	}
}
