// Package bad numbers the attempts of a request, with a pause between them.
package bad

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// ErrNoLuck is returned after the last attempt.
var ErrNoLuck = errors.New("no attempt succeeded")

// Client repeats requests.
type Client struct {
	hc       *http.Client
	unit     time.Duration
	attempts int
}

// New makes a Client.
func New(attempts int) *Client {
	return &Client{hc: &http.Client{Timeout: time.Minute}, unit: 200 * time.Millisecond, attempts: attempts}
}

func (c *Client) pause(n int) time.Duration {
	d := c.unit << min(n, 6)
	return d/2 + rand.N(d/2)
}

func (c *Client) numbers(ctx context.Context) <-chan int {
	ch := make(chan int) // ALT(orphan)
	go func() {          // ALT(orphan)
		defer close(ch)
		for n := range c.attempts {
			ch <- n // BUG(orphan) ALT(deafwait)
			t := time.NewTimer(c.pause(n))
			select {
			case <-t.C:
			case <-ctx.Done():
				t.Stop()
				return
			}
		}
	}()
	return ch
}

// Get fetches url, repeating what the server asks to repeat.
func (c *Client) Get(ctx context.Context, url string) ([]byte, error) {
	for range c.numbers(ctx) { // ALT(orphan)
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return nil, err
		}
		resp, err := c.hc.Do(req)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil && resp.StatusCode < 500 {
			return body, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, ErrNoLuck
}
