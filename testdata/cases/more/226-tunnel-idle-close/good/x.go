package tunnel

import (
	"net"
	"sync/atomic"
	"time"
)

var epoch = time.Now()

// Conn closes itself when nothing has passed for a while.
type Conn struct {
	net.Conn
	idle  time.Duration
	last  atomic.Int64
	timer *time.Timer
}

// Wrap closes c after idle without traffic.
func Wrap(c net.Conn, idle time.Duration) *Conn {
	w := &Conn{Conn: c, idle: idle}
	w.touch()
	w.timer = time.AfterFunc(idle, w.check)
	return w
}

func (c *Conn) touch() {
	c.last.Store(time.Since(epoch).Milliseconds())
}

func (c *Conn) quiet() time.Duration {
	return time.Duration(time.Since(epoch).Milliseconds()-c.last.Load()) * time.Millisecond
}

func (c *Conn) check() {
	q := c.quiet()
	if q >= c.idle {
		_ = c.Conn.Close()
		return
	}
	c.timer.Reset(c.idle - q)
}

// Read notes that something came.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.touch()
	}
	return n, err
}

// Write notes that something went.
func (c *Conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if n > 0 {
		c.touch()
	}
	return n, err
}

// Close stops watching.
func (c *Conn) Close() error {
	c.timer.Stop()
	return c.Conn.Close()
}
