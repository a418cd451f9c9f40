// Package bad repeats requests of an exporter.
package bad

import (
	"io"
	"net/http"
	"time"
)

// Transport repeats what failed.
type Transport struct {
	base     http.RoundTripper
	attempts int
	steps    []time.Duration
	pause    func(time.Duration)
}

// Option changes a Transport.
type Option func(*Transport)

// WithBase sets the transport below.
func WithBase(rt http.RoundTripper) Option { return func(t *Transport) { t.base = rt } }

// WithPause replaces the pause between attempts.
func WithPause(fn func(time.Duration)) Option { return func(t *Transport) { t.pause = fn } }

// New makes a Transport.
func New(opts ...Option) *Transport {
	t := &Transport{
		base:     http.DefaultTransport,
		attempts: 3,
		steps:    []time.Duration{time.Second, 3 * time.Second},
		pause:    time.Sleep, // ALT(blindretry)
	}
	for _, o := range opts {
		o(t)
	}
	return t
}

func transient(resp *http.Response, err error) bool {
	return err != nil || resp.StatusCode == http.StatusBadGateway || resp.StatusCode == http.StatusServiceUnavailable
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	var resp *http.Response
	var err error
	for i := range t.attempts {
		try := req.Clone(req.Context())
		if i > 0 {
			t.pause(t.steps[min(i-1, len(t.steps)-1)]) // BUG(blindretry)
			if req.GetBody != nil {
				if try.Body, err = req.GetBody(); err != nil {
					return nil, err
				}
			}
		}
		resp, err = t.base.RoundTrip(try)
		if !transient(resp, err) || i == t.attempts-1 {
			break
		}
		if resp != nil {
			_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 4096))
			resp.Body.Close()
		}
	}
	return resp, err
}
