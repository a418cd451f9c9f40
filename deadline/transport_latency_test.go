//go:build go1.25

package deadline

import (
	"net/http"
	"strconv"
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

// Whoever decides which hosts are called does not decide how much is kept of them.
func TestLatencyOfManyHosts(t *testing.T) {
	l := &Latency{Fixed: time.Millisecond, Max: time.Second}
	h := http.Header{"X-Envoy-Upstream-Service-Time": {"0"}}
	for i := range 2 * mostHosts {
		l.learn("host"+strconv.Itoa(i), 10*time.Millisecond, h)
	}
	kept := 0
	l.hosts.Range(func(any, any) bool { kept++; return true })
	if kept != mostHosts || l.of("host0") != 5*time.Millisecond || l.of("host"+strconv.Itoa(2*mostHosts-1)) != l.Fixed {
		t.Errorf("%d kept, %v of the first", kept, l.of("host0"))
	}
	l.learn("host0", 18*time.Millisecond, h)
	if got := l.of("host0"); got != 5500*time.Microsecond {
		t.Errorf("%v of a host that is known, want 5.5ms", got)
	}
}
