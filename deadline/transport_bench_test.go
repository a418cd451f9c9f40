//go:build go1.25

package deadline

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The middleware beside the bare handler, and the transport beside the request it copies. Read as differences, and beside a
// loopback round trip, which takes some fifty times as long.
func BenchmarkServer(b *testing.B) {
	bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	r := asking("X-Deadline-Ms: 28500").WithContext(ctx)
	expired := asking("X-Deadline-Ms: 0").WithContext(ctx)
	w := discard{http.Header{}}
	timeout := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // what a middleware of three lines does
		ctx, cancel := context.WithTimeout(r.Context(), Human)
		defer cancel()
		bare.ServeHTTP(w, r.WithContext(ctx))
	})
	for _, bench := range []struct {
		name string
		h    http.Handler
		r    *http.Request
	}{
		{"bare", bare, r}, {"WithTimeout", timeout, r}, {"Server", Server{}.Wrap(bare), r},
		{"Server+observer", Server{Observer: deaf{}}.Wrap(bare), r}, {"Server rejects", Server{}.Wrap(bare), expired},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bench.h.ServeHTTP(w, bench.r)
			}
		})
	}
}

func BenchmarkTransport(b *testing.B) {
	resp := &http.Response{StatusCode: 200, Header: http.Header{}}
	send := base(func(r *http.Request) (*http.Response, error) {
		resp.Body = io.NopCloser(strings.NewReader(""))
		return resp, nil
	})
	clone := base(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.Header.Set("X-Deadline-Ms", "28500")
		return send(r)
	})
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, "GET", "http://a/", nil)
	r.Header = http.Header{"Accept": {"text/plain"}, "User-Agent": {"x"}, "X-Request-Id": {"1"}}
	for _, bench := range []struct {
		name string
		rt   http.RoundTripper
	}{
		{"bare", send}, {"Clone and Set", clone}, {"Transport", &Transport{Base: send, SendTo: AnyHost}},
		{"Transport with a cap", &Transport{Base: send, SendTo: AnyHost, Policy: Policy{Cap: Internal}}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				resp, err := bench.rt.RoundTrip(r)
				if err != nil {
					b.Fatal(err)
				}
				resp.Body.Close()
			}
		})
	}
}
