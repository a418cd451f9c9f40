// Package verify sends equal credential checks upstream only once.
package verify

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"golang.org/x/sync/singleflight"
)

type keyType struct{}

// WithKey names the check that a request belongs to.
func WithKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, keyType{}, key)
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) response(req *http.Request) *http.Response {
	return &http.Response{
		StatusCode: a.status, Header: a.header.Clone(), Request: req,
		Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)),
	}
}

const sharedLimit = 15 * time.Second

// Transport merges requests with the same key.
type Transport struct {
	base  http.RoundTripper
	group singleflight.Group
}

func NewTransport(base http.RoundTripper) *Transport {
	if base == nil {
		base = http.DefaultTransport
	}
	return &Transport{base: base}
}

func (t *Transport) fetch(req *http.Request) (answer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(req.Context()), sharedLimit)
	defer cancel()
	shared := req.Clone(ctx)
	res, err := t.base.RoundTrip(shared)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	return answer{res.StatusCode, res.Header, body}, err
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	key, _ := req.Context().Value(keyType{}).(string)
	if key == "" {
		return t.base.RoundTrip(req)
	}
	ch := t.group.DoChan(key, func() (any, error) { return t.fetch(req) })
	select {
	case r := <-ch:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.(answer).response(req), nil
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
}
