package guard

import (
	"bufio"
	"io"
	"log"
	"net"
	"strings"
	"time"
)

type listener struct {
	net.Listener
	idle time.Duration
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	g := &conn{Conn: c, idle: l.idle}
	return g, g.push()
}

type conn struct {
	net.Conn
	idle time.Duration
}

func (c *conn) push() error { return c.Conn.SetDeadline(time.Now().Add(c.idle)) }

func (c *conn) Read(b []byte) (int, error) {
	if err := c.push(); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

func (c *conn) Write(b []byte) (int, error) {
	if err := c.push(); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// Listen opens a listener whose connections end after idle.
func Listen(addr string, idle time.Duration) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return listener{Listener: l, idle: idle}, nil
}

// Whois answers one line with one text.
func Whois(addr string, lookup func(string) string) error {
	l, err := Listen(addr, 20*time.Second)
	if err != nil {
		return err
	}
	defer l.Close()
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer c.Close()
			line, err := bufio.NewReader(io.LimitReader(c, 1024)).ReadString('\n')
			if err != nil {
				log.Print(err)
				return
			}
			_, _ = io.WriteString(c, lookup(strings.TrimSpace(line)))
		}()
	}
}
