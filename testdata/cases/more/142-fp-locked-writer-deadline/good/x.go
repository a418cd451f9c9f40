package statsd

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

type Config struct {
	Addr       string
	WriteLimit time.Duration
	DialLimit  time.Duration
	Flush      time.Duration
}

type limited struct {
	c     net.Conn
	limit time.Duration
}

func (l limited) Write(b []byte) (int, error) {
	if err := l.c.SetWriteDeadline(time.Now().Add(l.limit)); err != nil {
		return 0, err
	}
	return l.c.Write(b)
}

func (l limited) Close() error { return l.c.Close() }

// Client sends counters.
type Client struct {
	cfg  Config
	mu   sync.Mutex
	buf  bytes.Buffer
	out  io.WriteCloser
	quit chan struct{}
	done chan struct{}
}

func New(cfg Config) *Client {
	cfg.WriteLimit = cmp.Or(cfg.WriteLimit, time.Second)
	cfg.DialLimit = cmp.Or(cfg.DialLimit, 2*time.Second)
	cfg.Flush = cmp.Or(cfg.Flush, 5*time.Second)
	c := &Client{cfg: cfg, quit: make(chan struct{}), done: make(chan struct{})}
	go c.loop()
	return c
}

func (c *Client) dial() (io.WriteCloser, error) {
	conn, err := net.DialTimeout("tcp", c.cfg.Addr, c.cfg.DialLimit)
	if err != nil {
		return nil, err
	}
	return limited{conn, c.cfg.WriteLimit}, nil
}

// Count adds a line to the buffer.
func (c *Client) Count(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buf.WriteString(name + ":1|c\n")
}

func (c *Client) flush() (err error) {
	c.mu.Lock()
	b := bytes.Clone(c.buf.Bytes())
	c.buf.Reset()
	c.mu.Unlock()
	if len(b) == 0 {
		return nil
	}
	if c.out == nil {
		if c.out, err = c.dial(); err != nil {
			return err
		}
	}
	if _, err = c.out.Write(b); err != nil {
		err = errors.Join(err, c.out.Close())
		c.out = nil
	}
	return err
}

func (c *Client) loop() {
	defer close(c.done)
	t := time.NewTicker(c.cfg.Flush)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			c.flush()
		case <-c.quit:
			c.flush()
			return
		}
	}
}

func (c *Client) Close() {
	close(c.quit)
	<-c.done
}
