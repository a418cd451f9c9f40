// Package good is a small client for the address management service.
package good

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	defaultTimeout = 30 * time.Second
	maxBody        = 4 << 20
)

// Client talks to one installation of the service.
type Client struct {
	base  *url.URL
	token string
	agent string
	http  *http.Client
}

// Option changes a client while it is made.
type Option func(*Client)

// WithUserAgent sets the User-Agent of all requests.
func WithUserAgent(agent string) Option {
	return func(c *Client) { c.agent = agent }
}

// WithTransport sends all requests through rt.
func WithTransport(rt http.RoundTripper) Option {
	return func(c *Client) {
		c.http.Transport = rt
	}
}

// New returns a client for the service at base.
func New(base, token string, opts ...Option) (*Client, error) {
	u, err := url.Parse(strings.TrimSuffix(base, "/") + "/")
	if err != nil {
		return nil, err
	}
	c := &Client{
		base:  u,
		token: token,
		agent: "ipam-go/2",
		http:  &http.Client{Timeout: defaultTimeout},
	}
	for _, o := range opts {
		o(c)
	}
	return c, nil
}

// NewMutualTLS returns a client that identifies itself by a certificate.
func NewMutualTLS(base string, cert tls.Certificate) (*Client, error) {
	tr := http.DefaultTransport.(*http.Transport).Clone()
	tr.TLSClientConfig = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	return New(base, "", WithTransport(tr))
}

// Subnet is a range of addresses.
type Subnet struct {
	ID   int    `json:"id"`
	CIDR string `json:"cidr"`
	Free int    `json:"free"`
}

// Subnets lists the ranges of a site.
func (c *Client) Subnets(site string) ([]Subnet, error) {
	var out []Subnet
	err := c.call(http.MethodGet, "sites/"+url.PathEscape(site)+"/subnets", nil, &out)
	return out, err
}

// Reserve takes the next free address of a subnet.
func (c *Client) Reserve(subnet int, host string) (string, error) {
	var out struct {
		Address string `json:"address"`
	}
	in := map[string]string{"host": host}
	err := c.call(http.MethodPost, fmt.Sprintf("subnets/%d/reservations", subnet), in, &out)
	return out.Address, err
}

func (c *Client) call(method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequest(method, c.base.JoinPath(path).String(), body)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", c.agent)
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %s", method, path, resp.Status)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, maxBody)).Decode(out)
}
