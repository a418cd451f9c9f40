package worker

import (
	"bufio"
	"context"
	"io"
	"net"
)

// Follow hands each line of r to each, until r or ctx ends.
func Follow(ctx context.Context, r io.Reader, each func(string)) error {
	lines := bufio.NewReader(r)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			return err
		}
		each(line)
	}
}

// Probe says a line to the service at addr and returns its first line.
func Probe(ctx context.Context, addr string) (string, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if t, ok := ctx.Deadline(); ok {
		conn.SetDeadline(t)
	}
	if _, err := io.WriteString(conn, "GET /ready HTTP/1.0\r\n\r\n"); err != nil {
		return "", err
	}
	return bufio.NewReader(conn).ReadString('\n')
}

// Greeting returns the first line that the service at addr says. When ctx is done, the connection is closed under the read.
func Greeting(ctx context.Context, addr string) (string, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	return bufio.NewReader(conn).ReadString('\n')
}
