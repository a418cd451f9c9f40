package lineserver

import (
	"bufio"
	"errors"
	"io"
	"net"
	"time"
)

type idleConn struct {
	net.Conn
	idle time.Duration
}

func (c *idleConn) Read(b []byte) (int, error) {
	if err := c.Conn.SetReadDeadline(time.Now().Add(c.idle)); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

func (c *idleConn) Write(b []byte) (int, error) {
	if err := c.Conn.SetWriteDeadline(time.Now().Add(c.idle)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

type idleListener struct {
	net.Listener
	idle time.Duration
}

func (l *idleListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &idleConn{Conn: c, idle: l.idle}, nil
}

// Handler answers one line.
type Handler func(line string) string

// Serve answers lines on addr.
func Serve(addr string, idle time.Duration, h Handler) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return serve(&idleListener{l, idle}, h)
}

func serve(l net.Listener, h Handler) error {
	defer l.Close()
	for {
		c, err := l.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		go answer(c, h)
	}
}

func answer(c net.Conn, h Handler) {
	defer c.Close()
	sc := bufio.NewScanner(c)
	for sc.Scan() {
		if _, err := io.WriteString(c, h(sc.Text())+"\n"); err != nil {
			return
		}
	}
}
