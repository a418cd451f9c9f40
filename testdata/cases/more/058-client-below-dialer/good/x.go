package catalog

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"time"
)

type Settings struct {
	Base     string
	Insecure bool
}

const (
	dialLimit  = time.Second
	totalLimit = 3 * time.Second
)

func newTransport(s Settings) *http.Transport {
	d := &net.Dialer{Timeout: dialLimit, KeepAlive: 30 * time.Second}
	return &http.Transport{
		DialContext:         d.DialContext,
		TLSClientConfig:     &tls.Config{InsecureSkipVerify: s.Insecure},
		MaxIdleConnsPerHost: 8,
		IdleConnTimeout:     90 * time.Second,
	}
}

// Client reads the catalogue.
type Client struct {
	base string
	hc   *http.Client
}

func New(s Settings) *Client {
	return &Client{base: s.Base, hc: &http.Client{
		Transport: newTransport(s),
		Timeout:   totalLimit,
	}}
}

func (c *Client) List(ctx context.Context) ([]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/items", nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.hc.Do(req)
	if err != nil {
		return nil, fmt.Errorf("list: %w", err)
	}
	defer resp.Body.Close()
	var out []string
	return out, json.NewDecoder(resp.Body).Decode(&out)
}
