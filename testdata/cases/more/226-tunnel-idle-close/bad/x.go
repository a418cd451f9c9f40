package tunnel

import (
	"net"
	"sync/atomic"
	"time"
)

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
	c.last.Store(time.Now().UnixMilli()) // ALT(wallclock)
}

func (c *Conn) quiet() time.Duration {
	return time.Duration(time.Now().UnixMilli()-c.last.Load()) * time.Millisecond // BUG(wallclock)
}

func (c *Conn) check() {
	q := c.quiet()
	if q >= c.idle { // ALT(wallclock)
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
