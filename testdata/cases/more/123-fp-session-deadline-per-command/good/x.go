package nutclient

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

// Client talks to a UPS daemon.
type Client struct {
	mu    sync.Mutex
	conn  net.Conn
	br    *bufio.Reader
	limit time.Duration
}

func Dial(addr string, limit time.Duration) (*Client, error) {
	conn, err := net.DialTimeout("tcp", addr, limit)
	if err != nil {
		return nil, err
	}
	return &Client{conn: conn, br: bufio.NewReader(conn), limit: limit}, nil
}

func (c *Client) exchange(cmd string, more func(string) bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.conn.SetDeadline(time.Now().Add(c.limit)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(c.conn, "%s\n", cmd); err != nil {
		return err
	}
	for {
		line, err := c.br.ReadString('\n')
		if err != nil {
			return err
		}
		line = strings.TrimSpace(line)
		if e, ok := strings.CutPrefix(line, "ERR "); ok {
			return errors.New(e)
		}
		if !more(line) {
			return nil
		}
	}
}

// Vars lists the variables of a device.
func (c *Client) Vars(ups string) (map[string]string, error) {
	out := map[string]string{}
	err := c.exchange("LIST VAR "+ups, func(l string) bool {
		if f := strings.SplitN(l, " ", 4); len(f) == 4 && f[0] == "VAR" {
			out[f[2]] = strings.Trim(f[3], `"`)
		}
		return !strings.HasPrefix(l, "END LIST")
	})
	return out, err
}

func (c *Client) Close() error { return c.conn.Close() }
