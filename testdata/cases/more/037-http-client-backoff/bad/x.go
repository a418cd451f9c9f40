package reqclient

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// Backoff says how long to wait before attempt n.
type Backoff interface {
	Next(n int) time.Duration
}

type exponential struct {
	first, max time.Duration
}

func (e exponential) Next(n int) time.Duration {
	d := e.first << n
	if d > e.max || d <= 0 {
		d = e.max
	}
	return d/2 + rand.N(d/2)
}

type Client struct {
	hc      *http.Client
	retries int
	back    Backoff
}

func New(retries int) *Client {
	return &Client{
		hc:      &http.Client{Timeout: 30 * time.Second},
		retries: retries,
		back:    exponential{500 * time.Millisecond, 30 * time.Second},
	}
}

// Do sends the request, repeating it after server errors.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		b, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		body = b
	}
	var last error
	for i := 0; i <= c.retries; i++ {
		if i > 0 {
			time.Sleep(c.back.Next(i - 1)) // BUG(retry)
		}
		if body != nil {
			req.Body = io.NopCloser(bytes.NewReader(body))
		}
		resp, err := c.hc.Do(req)
		if err != nil {
			last = err
			continue // ALT(retry)
		}
		if resp.StatusCode < 500 {
			return resp, nil
		}
		resp.Body.Close()
		last = fmt.Errorf("server answered %s", resp.Status)
	}
	return nil, fmt.Errorf("after %d attempts: %w", c.retries+1, last)
}
