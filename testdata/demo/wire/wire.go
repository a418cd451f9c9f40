// Package wire carries the time that a request has left from one service to the next.
package wire

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// Header says how many milliseconds are left. A duration, not an instant: clocks need not agree.
const Header = "X-Time-Left-Ms"

// Transport adds the header to each request whose context has a deadline.
type Transport struct{ Base http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if d, ok := r.Context().Deadline(); ok {
		r = r.Clone(r.Context())
		r.Header.Set(Header, strconv.FormatInt(time.Until(d).Milliseconds(), 10))
	}
	return t.Base.RoundTrip(r)
}

// Accept applies the header to the request's context.
func Accept(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ms, err := strconv.ParseInt(r.Header.Get(Header), 10, 64)
		if err != nil {
			next.ServeHTTP(w, r)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), time.Duration(ms)*time.Millisecond)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
