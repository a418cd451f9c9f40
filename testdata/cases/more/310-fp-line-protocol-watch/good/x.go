package lineproto

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

// Client asks a daemon one line at a time.
type Client struct {
	mu   sync.Mutex
	conn net.Conn
	br   *bufio.Reader
}

// Dial connects to the daemon's socket.
func Dial(ctx context.Context, path string) (*Client, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	return &Client{conn: c, br: bufio.NewReader(c)}, nil
}

// under lets ctx end whatever the connection waits for. The caller calls what
// it returns, which tells whether ctx had ended.
func (c *Client) under(ctx context.Context) func() error {
	end, _ := ctx.Deadline()
	_ = c.conn.SetDeadline(end)
	gone := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(gone)
		_ = c.conn.SetDeadline(time.Unix(1, 0))
	})
	return func() error {
		if stop() {
			return nil
		}
		<-gone
		return context.Cause(ctx)
	}
}

// Ask sends a line and gives the one that comes back.
func (c *Client) Ask(ctx context.Context, line string) (answer string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	leave := c.under(ctx)
	defer func() {
		if cause := leave(); cause != nil {
			err = cause
		}
	}()
	if _, err := fmt.Fprintf(c.conn, "%s\n", line); err != nil {
		return "", err
	}
	s, err := c.br.ReadString('\n')
	if err != nil {
		return "", err
	}
	if rest, bad := strings.CutPrefix(s, "ERR "); bad {
		return "", fmt.Errorf("daemon: %s", strings.TrimSpace(rest))
	}
	return strings.TrimSpace(s), nil
}
