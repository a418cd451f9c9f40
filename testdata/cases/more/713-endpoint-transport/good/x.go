// Package good repeats requests of an exporter.
package good

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
	after    func(time.Duration) <-chan time.Time
}

// Option changes a Transport.
type Option func(*Transport)

// WithBase sets the transport below.
func WithBase(rt http.RoundTripper) Option { return func(t *Transport) { t.base = rt } }

// WithAfter replaces the clock of the pauses between attempts.
func WithAfter(fn func(time.Duration) <-chan time.Time) Option {
	return func(t *Transport) { t.after = fn }
}

// New makes a Transport.
func New(opts ...Option) *Transport {
	t := &Transport{
		base:     http.DefaultTransport,
		attempts: 3,
		steps:    []time.Duration{time.Second, 3 * time.Second},
		after:    time.After,
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
			select {
			case <-t.after(t.steps[min(i-1, len(t.steps)-1)]):
			case <-req.Context().Done():
				return nil, req.Context().Err()
			}
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
