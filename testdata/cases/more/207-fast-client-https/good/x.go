package fastclient

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"time"
)

// Client sends the same request again and again over one connection.
type Client struct {
	host    string
	addr    string
	req     []byte
	timeout time.Duration
	tls     *tls.Config
	conn    net.Conn
	br      *bufio.Reader
}

// New prepares a client for a URL.
func New(u *url.URL, timeout time.Duration) *Client {
	c := &Client{host: u.Hostname(), addr: u.Host, timeout: timeout}
	c.req = []byte("GET " + u.RequestURI() + " HTTP/1.1\r\nHost: " + u.Host + "\r\n\r\n")
	if u.Scheme == "https" {
		c.tls = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	}
	return c
}

func (c *Client) connect() error {
	raw, err := net.DialTimeout("tcp", c.addr, c.timeout)
	if err != nil {
		return err
	}
	c.conn = raw
	if c.tls != nil {
		c.conn = tls.Client(raw, c.tls)
	}
	c.br = bufio.NewReader(c.conn)
	return nil
}

// Fetch sends one request and gives the status line. Over TLS the first write
// shakes hands.
func (c *Client) Fetch() (string, error) {
	if c.conn == nil {
		if err := c.connect(); err != nil {
			return "", err
		}
	}
	if err := c.conn.SetDeadline(time.Now().Add(c.timeout)); err != nil {
		return "", err
	}
	if _, err := c.conn.Write(c.req); err != nil {
		return "", fmt.Errorf("write: %w", err)
	}
	line, err := c.br.ReadString('\n')
	if err != nil {
		c.conn.Close()
		c.conn = nil
	}
	return line, err
}
