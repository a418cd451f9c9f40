// Package good asks a licence server that is sometimes slow.
package good

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Grant is what the server allows.
type Grant struct {
	Seats int       `json:"seats"`
	Until time.Time `json:"until"`
}

// Client asks the server.
type Client struct {
	hc    *http.Client
	base  *url.URL
	limit time.Duration
	pause time.Duration
}

// New makes a Client.
func New(base *url.URL) *Client {
	return &Client{hc: &http.Client{}, base: base, limit: 3 * time.Second, pause: time.Second}
}

func (c *Client) once(ctx context.Context, key string) (*Grant, error) {
	ctx, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.JoinPath("grants", key).String(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.hc.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("licence server: %s", resp.Status)
	}
	g := new(Grant)
	return g, json.NewDecoder(resp.Body).Decode(g)
}

// transient says whether err is the end of one attempt only.
func transient(ctx context.Context, err error) bool {
	return ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded)
}

// Grant returns the grant of key.
func (c *Client) Grant(ctx context.Context, key string) (*Grant, error) {
	again := time.NewTicker(c.pause)
	defer again.Stop()
	for {
		g, err := c.once(ctx, key)
		if err == nil {
			return g, nil
		}
		if !transient(ctx, err) {
			return nil, err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, errors.Join(err, ctx.Err())
		}
	}
}
