//go:build go1.25

package deadline

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func TestLatencyLearns(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name string
		l    *Latency
		line string
		want time.Duration
	}{
		{"Envoy", &Latency{Max: 50 * ms}, "X-Envoy-Upstream-Service-Time: 80", 10 * ms},
		{"Server-Timing", &Latency{Max: 50 * ms}, `Server-Timing: db;dur=53, total;desc="a;b";dur=70.5`, 14750 * time.Microsecond},
		{"at most", &Latency{Max: 5 * ms}, "X-Envoy-Upstream-Service-Time: 0", 5 * ms},
		{"at least", &Latency{Fixed: 20 * ms, Max: 50 * ms}, "X-Envoy-Upstream-Service-Time: 99", 20 * ms},
		{"off", &Latency{Fixed: 2 * ms}, "X-Envoy-Upstream-Service-Time: 0", 2 * ms},
		{"more than the round trip", &Latency{Max: 50 * ms}, "X-Envoy-Upstream-Service-Time: 101", 0},
		{"not in form", &Latency{Max: 50 * ms}, "X-Envoy-Upstream-Service-Time: -1", 0},
		{"no word", &Latency{Max: 50 * ms}, "Accept: x", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tr := Transport{Latency: tt.l, Base: base(func(r *http.Request) (*http.Response, error) {
					time.Sleep(100 * ms)
					return answer(r, 200, tt.line), nil
				})}
				if _, err := tr.RoundTrip(within(t, "a", time.Second)); err != nil {
					t.Fatal(err)
				}
				if got := tt.l.of("a"); got != tt.want || tt.l.of("b") != max(0, tt.l.Fixed) {
					t.Errorf("%v, want %v", got, tt.want)
				}
			})
		})
	}
}
