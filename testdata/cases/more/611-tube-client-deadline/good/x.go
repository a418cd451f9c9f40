// Package tube is a client of a line based work queue.
package tube

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"time"
)

type wire struct {
	conn  net.Conn
	br    *bufio.Reader
	limit time.Duration
}

func (w *wire) arm(ctx context.Context) (func() bool, error) {
	end := time.Now().Add(w.limit)
	if d, ok := ctx.Deadline(); ok && d.Before(end) {
		end = d
	}
	if err := w.conn.SetDeadline(end); err != nil {
		return nil, err
	}
	return context.AfterFunc(ctx, func() { w.conn.SetDeadline(time.Unix(1, 0)) }), nil
}

// Client holds one connection and is not safe for concurrent use.
type Client struct {
	wire
	tube string
}

func Dial(ctx context.Context, addr, tube string, limit time.Duration) (*Client, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Client{wire: wire{conn: conn, br: bufio.NewReader(conn), limit: limit}, tube: tube}, nil
}

func (c *Client) command(ctx context.Context, format string, args ...any) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stop, err := c.arm(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	if _, err := fmt.Fprintf(c.conn, format+"\r\n", args...); err != nil {
		return nil, err
	}
	line, err := c.br.ReadString('\n')
	if err != nil {
		return nil, err
	}
	return strings.Fields(line), nil
}

// Put adds a job and returns its id.
func (c *Client) Put(ctx context.Context, body string) (string, error) {
	f, err := c.command(ctx, "put %s %d\r\n%s", c.tube, len(body), body)
	if err != nil {
		return "", err
	}
	if len(f) != 2 || f[0] != "INSERTED" {
		return "", fmt.Errorf("put: %v", f)
	}
	return f[1], nil
}

// Delete removes a job.
func (c *Client) Delete(ctx context.Context, id string) error {
	f, err := c.command(ctx, "delete %s", id)
	if err == nil && (len(f) == 0 || f[0] != "DELETED") {
		err = fmt.Errorf("delete: %v", f)
	}
	return err
}
