//go:build go1.25

package deadline

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A handler that comes back late and has not written is answered for; one that has written is left alone.
func TestServerLateFinish(t *testing.T) {
	tests := []struct {
		name    string
		handler func(w http.ResponseWriter, r *http.Request)
		code    int
		late    bool
	}{
		{"in time, nothing written", func(http.ResponseWriter, *http.Request) {}, 200, false},
		{"late, nothing written", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 504, true},
		{"late, deaf, nothing written", func(http.ResponseWriter, *http.Request) { time.Sleep(8 * time.Second) }, 504, true},
		{"late, only a header set", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "7")
			w.Header().Set("Retry-After", "1")
			<-r.Context().Done()
		}, 504, true},
		{"late, status written", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done(); w.WriteHeader(418) }, 418, true},
		{"late, body written before", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "x"); <-r.Context().Done() }, 200, true},
		{"late, copied", func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			io.Copy(w, io.LimitReader(strings.NewReader("x"), 1)) // by ReadFrom
		}, 200, true},
		{"late, copied from what gave nothing", func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			io.Copy(w, io.LimitReader(failing{r.Context().Err()}, 1))
		}, 504, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, w := new(record), httptest.NewRecorder()
				Server{Default: 5 * time.Second, Observer: n}.Wrap(http.HandlerFunc(tt.handler)).ServeHTTP(w, asking())
				answered := w.Code == 504
				if w.Code != tt.code || answered != (w.Header().Get(HeaderExpired) == "1") || answered && w.Header().Get("Retry-After") != "" {
					t.Errorf("answer is %d %v", w.Code, w.Header())
				}
				if answered && w.Header().Get("Content-Length") != "" {
					t.Error("the handler's length was kept for another body")
				}
				if late := len(n.of(CountLateFinish)) == 1; late != tt.late {
					t.Errorf("told %v", n.events)
				}
			})
		})
	}
}

// failing is a body whose time is up.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestServerWastedAfterDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := new(record)
		Server{Default: 5 * time.Second, Observer: n}.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			time.Sleep(8 * time.Second)
		})).ServeHTTP(httptest.NewRecorder(), asking())
		if told := n.of(TimeWastedAfterDeadline); len(told) != 1 || told[0].Time != 3*time.Second || told[0].Name != "default" {
			t.Errorf("told %v", told)
		}
	})
}

// Nothing is written for a caller that left, though the deadline passes later, and its leaving is no deadline event; how long the work went on is told.
func TestServerClientGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, mode := range []Mode{Enforce, Observe} {
			ctx, leave := context.WithCancel(t.Context())
			n, w := new(record), httptest.NewRecorder()
			time.AfterFunc(time.Second, leave)
			Server{Default: 3 * time.Second, Observer: n, Mode: mode}.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				time.Sleep(5 * time.Second)
			})).ServeHTTP(w, asking().WithContext(ctx))
			told := n.of(TimeWastedAfterClientGone)
			if w.Code != 200 || w.Body.Len() > 0 || len(told) != 1 || told[0].Time != 4*time.Second || len(n.of(CountLateFinish)) > 0 {
				t.Errorf("mode %v: answer %d, told %v", mode, w.Code, n.events)
			}
		}
		ctx, leave := context.WithCancel(t.Context())
		leave()
		n := new(record)
		left, w := given(Server{Observer: n}, asking().WithContext(ctx))
		if left != -1 || w.Body.Len() > 0 || len(n.of(CountClientGone)) != 1 || len(n.of(CountExpiredOnArrival)) > 0 {
			t.Errorf("gone on arrival: handler has %v, told %v", left, n.events)
		}
	})
}

// The late answer comes from the goroutine of the request, and a panic passes.
func TestServerSameGoroutine(t *testing.T) {
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("the panic was %v", v)
		}
	}()
	Server{}.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	})).ServeHTTP(httptest.NewRecorder(), asking())
}

func TestServerOwnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got Error
		server := Server{Default: 5 * time.Second, Min: time.Second, Expired: func(w http.ResponseWriter, _ *http.Request, err *Error) {
			got = *err
			w.WriteHeader(498)
		}}
		_, w := given(server, asking("X-Deadline-Ms: 700"))
		if w.Code != 498 || got.Reason != BelowMinimum || got.Remaining != 700*time.Millisecond || got.Need != time.Second || !errors.Is(&got, context.DeadlineExceeded) {
			t.Errorf("%d %+v", w.Code, got)
		}
		w = httptest.NewRecorder()
		server.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(6 * time.Second) })).ServeHTTP(w, asking())
		if w.Code != 498 || got.Reason != Expired || got.Over != time.Second {
			t.Errorf("%d %+v", w.Code, got)
		}
	})
}

// Observe leaves request, writer and answer alone, and tells what Enforce would have done.
func TestServerObserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, w, r := new(record), httptest.NewRecorder(), asking("X-Deadline-Ms: 0")
		called := false
		Server{Mode: Observe, Observer: n, Strict: true}.Wrap(http.HandlerFunc(func(in http.ResponseWriter, req *http.Request) {
			called = in == http.ResponseWriter(w) && req == r
			time.Sleep(2 * time.Second)
		})).ServeHTTP(w, r)
		told := n.of(TimeWastedAfterDeadline)
		if !called || w.Code != 200 || len(n.of(CountExpiredOnArrival)) != 1 || len(told) != 1 || told[0].Time != 2*time.Second {
			t.Errorf("called %v, answer %d, told %v", called, w.Code, n.events)
		}
	})
}

// No more than the fraction is rejected; what goes over gets the default; after the window it begins anew.
func TestServerCeiling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := new(record)
		wrapped := Server{MaxRejectFraction: 0.2, Default: 3 * time.Second, Observer: n}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if left, _ := Remaining(r.Context()); left != 3*time.Second {
				t.Errorf("handler has %v", left)
			}
		}))
		run := func(requests int, lines ...string) (rejected int) {
			for range requests {
				w := httptest.NewRecorder()
				wrapped.ServeHTTP(w, asking(lines...))
				if w.Code == 504 {
					rejected++
				}
			}
			return rejected
		}
		if rejected := run(100, "X-Deadline-Ms: 0"); rejected != 20 {
			t.Errorf("%d of 100 rejected", rejected)
		}
		if told := len(n.of(CountRejectCeiling)); told != 80 {
			t.Errorf("told of %d", told)
		}
		run(100)
		if rejected := run(10, "X-Deadline-Ms: 0"); rejected != 10 {
			t.Errorf("%d of 10 rejected after 100 good ones", rejected)
		}
		time.Sleep(11 * time.Second)
		if rejected := run(1, "X-Deadline-Ms: 0"); rejected != 0 {
			t.Errorf("the first of a new window was rejected")
		}
	})
}

// Thousands of headers, of any kind, extend nothing and cost no memory.
func TestServerHostileHeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := asking()
		for i := range 10_000 {
			r.Header["X-Deadline-Ms"] = append(r.Header["X-Deadline-Ms"], seedValues[i%len(seedValues)][:min(i%7, len(seedValues[i%len(seedValues)]))]+"9x")
		}
		r.Header.Add("X-Deadline-Ms", "99999999999999999999999999")
		if left, _ := given(Server{Default: time.Second}, r); left != time.Second {
			t.Errorf("handler has %v", left)
		}
		r.Header.Add("X-Deadline-Ms", "500")
		if left, _ := given(Server{Default: time.Second}, r); left != time.Second/2 {
			t.Errorf("handler has %v", left)
		}
		none := testing.AllocsPerRun(10, func() { readHeaders(t.Context(), nil, r.Header, []Dialect{XDeadlineMs}, time.Now(), 0, 0) })
		if none != 0 {
			t.Errorf("reading them takes %v allocations", none)
		}
	})
}

func TestServerAllocations(t *testing.T) {
	bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
	ctx, cancel := context.WithCancel(t.Context()) // as net/http's own is
	defer cancel()
	r := asking("X-Deadline-Ms: 28500").WithContext(ctx)
	matched := r.WithContext(ctx)
	matched.URL = &url.URL{Path: "/r7/42"}
	known := matched.WithContext(ctx)
	known.Pattern = "GET /r7/{id}" // behind a mux
	expired := asking("X-Deadline-Ms: 0")
	w := discard{http.Header{}}
	routes := Server{}
	for i := range 20 {
		routes.Routes = append(routes.Routes, Route{Pattern: "GET /r" + strconv.Itoa(i) + "/{id}"})
	}
	watchedRoutes := routes
	watchedRoutes.Observer = deaf{}
	for name, tt := range map[string]struct {
		server Server
		r      *http.Request
		most   float64
	}{
		"no routes":     {Server{}, r, 5},
		"with routes":   {routes, matched, 5},
		"known pattern": {routes, known, 5},
		"no match":      {routes, r, 5},
		"with observer": {watchedRoutes, matched, 8},
		"observed":      {Server{Observer: deaf{}, Mode: Observe}, r, 8},
		"at the edge":   {Server{Trust: Untrusted}, r, 7}, // the headers without the caller's are a map of their own
		"edge, told":    {Server{Observer: deaf{}, Trust: Untrusted}, r, 10},
		"rejected":      {Server{}, expired, 0},
	} {
		wrapped := tt.server.Wrap(bare)
		over := testing.AllocsPerRun(200, func() { wrapped.ServeHTTP(w, tt.r) }) - testing.AllocsPerRun(200, func() { bare.ServeHTTP(w, tt.r) })
		t.Logf("%s: %v allocations over the bare handler", name, over)
		if over > tt.most {
			t.Errorf("%s: %v allocations over the bare handler, at most %v", name, over, tt.most)
		}
	}
}

// discard is a writer that costs nothing.
type discard struct{ h http.Header }

func (d discard) Header() http.Header         { return d.h }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

// deaf is an observer that costs nothing.
type deaf struct{}

func (deaf) Observe(context.Context, Event) {}
