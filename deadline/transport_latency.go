package deadline

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// A Latency estimates what the way to a host takes, one way. It is of one Transport; do not copy it. A nil Latency is 0.
type Latency struct {
	// Fixed is what the way always takes.
	Fixed time.Duration
	// Max turns the measuring on, and is the most that is ever taken off. An answer that says how long the other side has
	// worked on it, by x-envoy-upstream-service-time or Server-Timing (dur, or total;dur), shows by what is left of the
	// round trip what the way took: half of it, as a moving average. Fixed is the least.
	Max   time.Duration
	hosts sync.Map     // host to *atomic.Int64, nanoseconds
	known atomic.Int32 // how many hosts
}

// mostHosts is how many hosts are measured at most; the rest has Fixed. A proxy may be sent anywhere, and is not to keep it all.
const mostHosts = 4096

// of is the estimate for a host.
func (l *Latency) of(host string) time.Duration {
	if l == nil {
		return 0
	}
	if l.Max > 0 {
		if v, ok := l.hosts.Load(host); ok {
			return max(0, l.Fixed, time.Duration(v.(*atomic.Int64).Load()))
		}
	}
	return max(0, l.Fixed)
}

// learn takes account of a round trip. What the other side says is not trusted further than Max.
func (l *Latency) learn(host string, trip time.Duration, h http.Header) {
	if l == nil || l.Max <= 0 {
		return
	}
	worked, ok := serviceTime(h)
	if !ok || worked > trip {
		return
	}
	way := int64(min((trip-worked)/2, l.Max))
	v, known := l.hosts.Load(host)
	if !known {
		if l.known.Load() >= mostHosts { // those that come at once may be a few more
			return
		}
		first := new(atomic.Int64)
		first.Store(way)
		if _, other := l.hosts.LoadOrStore(host, first); !other {
			l.known.Add(1)
		}
		return
	}
	average := v.(*atomic.Int64)
	// Two at once may lose one of the two: it is an estimate. The weight of 1/8 is that of TCP's round-trip time (RFC 6298).
	old := average.Load()
	average.Store(old + (way-old)/8)
}

// serviceTime is how long the other side says to have worked.
func serviceTime(h http.Header) (time.Duration, bool) {
	if values := h["X-Envoy-Upstream-Service-Time"]; len(values) == 1 {
		return worked(values[0])
	}
	for _, value := range h["Server-Timing"] {
		for value != "" {
			var metric string
			metric, value = cut(value, ',')
			name, params := cut(metric, ';')
			if name = trim(name); name != "total" && name != "app" {
				continue
			}
			for params != "" {
				var param string
				param, params = cut(params, ';')
				if key, ms := cut(param, '='); equalFold(trim(key), "dur") {
					return worked(trim(ms))
				}
			}
		}
	}
	return 0, false
}

// worked reads milliseconds with a fraction.
func worked(s string) (time.Duration, bool) {
	n, frac, rest, ok := number(s)
	if !ok || rest != "" {
		return 0, false
	}
	return add(times(n, time.Millisecond), part(frac, time.Millisecond)), true
}
