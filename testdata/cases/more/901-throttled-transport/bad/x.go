// Package bad is a client for a ticketing service that throttles its callers.
package bad

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Transport repeats requests which the service has throttled.
type Transport struct {
	base  http.RoundTripper
	max   int
	pause func(time.Duration)
}

// Option changes a Transport.
type Option func(*Transport)

// WithBase sets the transport below.
func WithBase(rt http.RoundTripper) Option {
	return func(t *Transport) { t.base = rt }
}

// WithPause replaces the pause between attempts, for tests.
func WithPause(f func(time.Duration)) Option {
	return func(t *Transport) { t.pause = f }
}

// NewTransport returns a Transport with five attempts.
func NewTransport(opts ...Option) *Transport {
	t := &Transport{base: http.DefaultTransport, max: 5, pause: time.Sleep} // ALSO(retry)
	for _, o := range opts {
		o(t)
	}
	return t
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	for attempt := 1; ; attempt++ { // ALSO(retry)
		resp, err := t.base.RoundTrip(req)
		if err != nil || attempt >= t.max || !throttled(resp.StatusCode) {
			return resp, err
		}
		next, err := rewind(req)
		if err != nil {
			return resp, nil
		}
		delay := retryAfter(resp.Header, attempt)
		discard(resp.Body)
		t.pause(delay) // BUG(retry)
		req = next
	}
}

func throttled(code int) bool {
	return code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable
}

func retryAfter(h http.Header, attempt int) time.Duration {
	if s, err := strconv.Atoi(h.Get("Retry-After")); err == nil && s > 0 {
		return time.Duration(s) * time.Second
	}
	return time.Second << (attempt - 1)
}

func rewind(req *http.Request) (*http.Request, error) {
	next := req.Clone(req.Context())
	if req.Body == nil || req.Body == http.NoBody {
		return next, nil
	}
	if req.GetBody == nil {
		return nil, fmt.Errorf("body of %s cannot be sent twice", req.URL)
	}
	body, err := req.GetBody()
	next.Body = body
	return next, err
}

func discard(body io.ReadCloser) {
	_, _ = io.Copy(io.Discard, io.LimitReader(body, 4<<10))
	_ = body.Close()
}

// Ticket is one entry of the tracker.
type Ticket struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Client reads tickets.
type Client struct {
	base string
	http *http.Client
}

// New returns a client for the service at base.
func New(base string, opts ...Option) *Client {
	return &Client{base: base, http: &http.Client{Transport: NewTransport(opts...)}}
}

// Ticket fetches one ticket.
func (c *Client) Ticket(ctx context.Context, id string) (*Ticket, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/tickets/"+id, nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ticket %s: %s", id, resp.Status)
	}
	var t Ticket
	return &t, json.NewDecoder(resp.Body).Decode(&t)
}
