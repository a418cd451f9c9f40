package whois

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

const talk = 10 * time.Second

// Client asks registries.
type Client struct {
	dialer net.Dialer
	hops   int
}

func New() *Client {
	return &Client{dialer: net.Dialer{Timeout: 5 * time.Second}, hops: 3}
}

// Lookup follows referrals.
func (c *Client) Lookup(ctx context.Context, server, name string) (string, error) {
	for i := 0; i < c.hops; i++ {
		text, err := c.ask(ctx, server, name)
		if err != nil {
			return "", fmt.Errorf("%s: %w", server, err)
		}
		next := referral(text)
		if next == "" || next == server {
			return text, nil
		}
		server = next
	}
	return "", fmt.Errorf("too many referrals for %s", name)
}

func referral(text string) string {
	sc := bufio.NewScanner(strings.NewReader(text))
	for sc.Scan() {
		if v, ok := strings.CutPrefix(sc.Text(), "refer:"); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

func (c *Client) ask(ctx context.Context, server, name string) (string, error) {
	conn, err := c.dialer.DialContext(ctx, "tcp", net.JoinHostPort(server, "43"))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(talk)) // BUG(fixedtimeout)
	if _, err := io.WriteString(conn, name+"\r\n"); err != nil {
		return "", err
	}
	b, err := io.ReadAll(io.LimitReader(conn, 1<<20))
	return string(b), err
}
