//go:build go1.25

package deadline

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// given calls a Server and returns the time that its handler was given, -1 if it was not called and -2 if it had no deadline.
func given(s Server, r *http.Request) (time.Duration, *httptest.ResponseRecorder) {
	left := time.Duration(-1)
	w := httptest.NewRecorder()
	s.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var ok bool
		if left, ok = Remaining(r.Context()); !ok {
			left = -2
		}
	})).ServeHTTP(w, r)
	return left, w
}

// asking is a request with header lines.
func asking(lines ...string) *http.Request {
	r := httptest.NewRequest("GET", "/a", nil)
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	return r
}

func TestServerTrust(t *testing.T) {
	const s = time.Second
	base := Server{Default: 10 * s, Max: 30 * s}
	trusted, edge := base, base
	trusted.Trust, edge.Trust = Trusted, Untrusted
	tests := []struct {
		name   string
		server Server
		lines  []string
		want   time.Duration
	}{
		{"nothing said", base, nil, 10 * s},
		{"shorter", base, []string{"X-Deadline-Ms: 4000"}, 4 * s},
		{"longer is denied", base, []string{"X-Deadline-Ms: 20000"}, 10 * s},
		{"smallest of several", base, []string{"X-Deadline-Ms: 9000", "X-Deadline-Ms: 3000", "X-Deadline-Ms: 5000"}, 3 * s},
		{"garbage beside a value", base, []string{"X-Deadline-Ms: x", "X-Deadline-Ms: 3000"}, 3 * s},
		{"garbage", base, []string{"X-Deadline-Ms: never"}, 10 * s},
		{"signed", base, []string{"X-Deadline-Ms: -1"}, 10 * s},
		{"expired", base, []string{"X-Deadline-Ms: 0"}, -1},
		{"absolute, clocks not declared", base, []string{"X-Deadline: 1"}, 10 * s},
		{"trusted, shorter", trusted, []string{"X-Deadline-Ms: 4000"}, 4 * s},
		{"trusted, longer", trusted, []string{"X-Deadline-Ms: 20000"}, 20 * s},
		{"trusted, too long", trusted, []string{"X-Deadline-Ms: 99999999999"}, 30 * s},
		{"trusted, nothing said", trusted, nil, 10 * s},
		{"trusted, garbage", trusted, []string{"X-Deadline-Ms: 1e9"}, 10 * s},
		{"edge", edge, []string{"X-Deadline-Ms: 4000"}, 10 * s},
		{"edge, expired", edge, []string{"X-Deadline-Ms: 0"}, 10 * s},
		{"zero value", Server{}, nil, Human},
		{"zero value never lengthens", Server{Trust: Trusted}, []string{"X-Deadline-Ms: 99999999"}, Human},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				left, w := given(tt.server, asking(tt.lines...))
				if left != tt.want {
					t.Errorf("handler has %v, want %v", left, tt.want)
				}
				if expired := w.Header().Get(HeaderExpired) != ""; expired != (tt.want == -1) || expired != (w.Code == 504) {
					t.Errorf("answer is %d, %v", w.Code, w.Header())
				}
			})
		})
	}
}

func TestServerNeverBeyondParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		left, _ := given(Server{Trust: Trusted, Default: 10 * time.Second}, asking("X-Deadline-Ms: 9000").WithContext(ctx))
		if left != 2*time.Second {
			t.Errorf("handler has %v", left)
		}
		left, w := given(Server{Min: 3 * time.Second}, asking("X-Deadline-Ms: 9000").WithContext(ctx))
		if left != -1 || w.Code != 504 {
			t.Errorf("with a minimum that the context does not leave, handler has %v, answer %d", left, w.Code)
		}
	})
}

func TestServerTakesOff(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	stamp := func(ago time.Duration) string {
		return fmt.Sprintf("X-Request-Start: t=%d", time.Now().Add(-ago).UnixMilli())
	}
	synctest.Test(t, func(t *testing.T) {
		server := Server{Default: 10 * s, Reserve: 20 * ms, Min: 100 * ms, Transit: 5 * ms, Arrival: RequestStart("X-Request-Start"), Skew: s}
		tests := []struct {
			name  string
			lines []string
			want  time.Duration
		}{
			{"reserve", nil, 9980 * ms},
			{"transit", []string{"X-Deadline-Ms: 1000"}, 975 * ms},
			{"router's queue", []string{"X-Deadline-Ms: 1000", stamp(400 * ms)}, 575 * ms},
			{"router's queue off the default", []string{stamp(400 * ms)}, 9580 * ms},
			{"stamp in the future", []string{stamp(-400 * ms)}, 9980 * ms},
			{"stamp not in form", []string{"X-Request-Start: soon"}, 9980 * ms},
			{"below the minimum", []string{"X-Deadline-Ms: 120"}, -1},
			{"just enough", []string{"X-Deadline-Ms: 125"}, 100 * ms},
			{"absolute", []string{fmt.Sprintf("X-Deadline: %d.500", time.Now().Unix()), stamp(400 * ms)}, 480 * ms},
		}
		for _, tt := range tests {
			if left, _ := given(server, asking(tt.lines...)); left != tt.want {
				t.Errorf("%s: handler has %v, want %v", tt.name, left, tt.want)
			}
		}
	})
}

func TestServerRoutes(t *testing.T) {
	const s = time.Second
	server := Server{Default: 10 * s, Max: 60 * s, Trust: Trusted, Routes: []Route{
		{Pattern: "GET /jobs/{id}", Default: Batch, Name: "jobs"},
		{Pattern: "/rpc/", Default: Internal, Max: 8 * s},
		{Pattern: "/plain"},
	}}
	synctest.Test(t, func(t *testing.T) {
		for target, want := range map[string]time.Duration{"/jobs/7": Batch, "/rpc/x": Internal, "/plain": 10 * s, "/other": 10 * s, "/a//b": 10 * s} {
			if left, _ := given(server, httptest.NewRequest("GET", target, nil)); left != want {
				t.Errorf("%s has %v, want %v", target, left, want)
			}
		}
		for target, want := range map[string]time.Duration{"/jobs/7": Batch, "/rpc/x": 8 * s, "/plain": 60 * s} {
			r := httptest.NewRequest("GET", target, nil)
			r.Header.Set("X-Deadline-Ms", "100000000")
			if left, _ := given(server, r); left != want {
				t.Errorf("%s has %v of a long header, want %v", target, left, want)
			}
		}
		r := httptest.NewRequest("GET", "/behind/a/mux", nil)
		r.Pattern = "/rpc/"
		if left, _ := given(server, r); left != Internal {
			t.Errorf("a request that knows its pattern has %v", left)
		}
	})
}

func TestServerValidate(t *testing.T) {
	const s = time.Second
	for name, server := range map[string]Server{
		"negative default":   {Default: -1},
		"default over max":   {Default: 2 * s, Max: s},
		"min over default":   {Default: s, Min: 2 * s},
		"reserve and min":    {Default: s, Min: s / 2, Reserve: s/2 + 1},
		"negative skew":      {Skew: -1},
		"frame":              {Headers: []Dialect{MuxDeadline}},
		"fraction":           {MaxRejectFraction: 1.5},
		"bad pattern":        {Routes: []Route{{Pattern: "GET"}}},
		"pattern twice":      {Routes: []Route{{Pattern: "/a"}, {Pattern: "/a"}}},
		"route over its max": {Routes: []Route{{Pattern: "/a", Default: 2 * s, Max: s}}},
	} {
		err := server.Validate()
		if e, ok := err.(*Error); !ok || e.Reason != BadPolicy || e.Timeout() {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if left, w := given(server, asking()); left != -1 || w.Code != 500 || !strings.Contains(w.Body.String(), err.Error()) {
			t.Errorf("%s: handler has %v, answer %d %q", name, left, w.Code, w.Body)
		}
	}
	if err := (Server{}).Validate(); err != nil {
		t.Error(err)
	}
}

func TestServerStrict(t *testing.T) {
	n := new(record)
	left, w := given(Server{Strict: true, Observer: n}, asking("X-Deadline-Ms: x", "X-Deadline-Ms: 5"))
	if left != -1 || w.Code != 400 || len(n.of(CountMalformed)) != 1 {
		t.Errorf("handler has %v, answer %d, %v", left, w.Code, n.events)
	}
}

// An untrusted caller's header is gone for the handler, in the dialects that are read and in our own, and still there for
// whoever holds the request.
func TestServerRemovesUntrusted(t *testing.T) {
	for _, server := range []Server{{}, {Headers: []Dialect{GRPCTimeout}}, {Routes: []Route{{Pattern: "/", Stream: true}}}} {
		server.Trust = Untrusted
		lines := []string{"X-Deadline-Ms: 4000", "Accept: text/plain"}
		if server.Headers != nil {
			lines = append(lines, "Grpc-Timeout: 1H")
		}
		r, called := asking(lines...), false
		server.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, in *http.Request) {
			if called = true; len(in.Header) != 1 || in.Header.Get("Accept") == "" {
				t.Errorf("handler sees %v", in.Header)
			}
		})).ServeHTTP(httptest.NewRecorder(), r)
		if !called || len(r.Header) != len(lines) {
			t.Errorf("called %v; the request itself was changed: %v", called, r.Header)
		}
	}
}

func TestServerEvents(t *testing.T) {
	const s = time.Second
	tests := []struct {
		server Server
		line   string
		want   []Kind
	}{
		{Server{}, "Accept: x", []Kind{CountAbsent}},
		{Server{}, "X-Deadline-Ms: 500", []Kind{CountReceived, TimeRemainingOnArrival}},
		{Server{}, "X-Deadline-Ms: 0", []Kind{CountReceived, TimeRemainingOnArrival, CountExpiredOnArrival}},
		{Server{Min: s}, "X-Deadline-Ms: 500", []Kind{CountReceived, TimeRemainingOnArrival, CountBelowMinimum}},
		{Server{}, "X-Deadline-Ms: 50000", []Kind{CountReceived, TimeRemainingOnArrival, CountExtendDenied}},
		{Server{Trust: Trusted}, "X-Deadline-Ms: 50000", []Kind{CountReceived, TimeRemainingOnArrival, CountClampedByRoute}},
		{Server{}, "X-Deadline-Ms: soon", []Kind{CountMalformed, CountAbsent}},
		{Server{Skew: s}, "X-Deadline: 1735689630", []Kind{CountSkewed, CountAbsent}},
		{Server{Trust: Untrusted}, "X-Deadline-Ms: 0", nil},
	}
	for _, tt := range tests {
		n := new(record)
		tt.server.Observer = n
		given(tt.server, asking(tt.line))
		var got []Kind
		for _, e := range n.events {
			got = append(got, e.Kind)
		}
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: %v, want %v", tt.line, got, tt.want)
		}
	}
}
