//go:build go1.25

package deadline

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// base is a RoundTripper in a few lines.
type base func(*http.Request) (*http.Response, error)

func (b base) RoundTrip(r *http.Request) (*http.Response, error) { return b(r) }

// answer is an answer with a body.
func answer(r *http.Request, status int, lines ...string) *http.Response {
	w := httptest.NewRecorder()
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		w.Header().Add(name, value)
	}
	w.WriteHeader(status)
	w.WriteString("body")
	resp := w.Result()
	resp.Request = r
	return resp
}

// within is a request to host whose context has left, or no deadline if that is 0.
func within(t *testing.T, host string, left time.Duration) *http.Request {
	ctx := t.Context()
	if left != 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, left)
		t.Cleanup(cancel)
	}
	r, err := http.NewRequestWithContext(ctx, "POST", "http://"+host+"/", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// closing is a request body that knows whether it was closed.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

func TestTransportRefuses(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name   string
		t      Transport
		left   time.Duration
		reason Reason
	}{
		{"expired", Transport{SendTo: AnyHost}, -1, Expired},
		{"below the minimum", Transport{Policy: Policy{Min: 100 * ms}}, 99 * ms, BelowMinimum},
		{"below, by the reserve", Transport{Policy: Policy{Min: 100 * ms, Reserve: 20 * ms}}, 119 * ms, BelowMinimum},
		{"below, by the way", Transport{Policy: Policy{Min: 100 * ms, Reserve: 20 * ms}, Latency: &Latency{Fixed: 5 * ms}}, 124 * ms, BelowMinimum},
		{"below, of the host", Transport{PerHost: map[string]Policy{"a:1": {Min: time.Second}}}, 999 * ms, BelowMinimum},
		{"too little to say", Transport{SendTo: AnyHost}, ms - 1, BelowMinimum},
		{"too little for seconds", Transport{SendTo: AnyHost, Headers: []Dialect{PreferWait}}, 999 * ms, BelowMinimum},
		{"no deadline", Transport{Policy: Policy{Require: true}}, 0, NoDeadline},
		{"only frames", Transport{SendTo: AnyHost, Headers: []Dialect{MuxDeadline, TChannelTTL}}, time.Second, BadPolicy},
		{"bad policy", Transport{Policy: Policy{Cap: -1}}, time.Second, BadPolicy},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tt.t.Base = base(func(*http.Request) (*http.Response, error) {
					t.Error("it was sent")
					return nil, io.EOF
				})
				body := new(closing)
				r := within(t, "a:1", tt.left)
				r.Body = body
				resp, err := tt.t.RoundTrip(r)
				var e *Error
				if resp != nil || !errors.As(err, &e) || e.Reason != tt.reason || !body.closed {
					t.Errorf("%v %v, body closed %v", resp, err, body.closed)
				}
			})
		})
	}
}

func TestTransportSends(t *testing.T) {
	const ms = time.Millisecond
	all := Transport{SendTo: AnyHost}
	known := Transport{PerHost: map[string]Policy{"a:1": {Cap: 500 * ms}}}
	tests := []struct {
		name string
		t    Transport
		host string
		left time.Duration
		want http.Header
	}{
		{"what is left, rounded down", all, "a:1", 2*time.Second - 1, http.Header{"X-Deadline-Ms": {"1999"}}},
		{"no deadline", all, "a:1", 0, http.Header{}},
		{"the cap", known, "a:1", 2 * time.Second, http.Header{"X-Deadline-Ms": {"500"}}},
		{"a third party", known, "b:1", 2 * time.Second, http.Header{}},
		{"a third party, by name alone", known, "a", 2 * time.Second, http.Header{}},
		{"less the reserve and the way", Transport{SendTo: AnyHost, Policy: Policy{Reserve: 20 * ms}, Latency: &Latency{Fixed: 5 * ms}}, "a:1", 2 * time.Second,
			http.Header{"X-Deadline-Ms": {"1975"}}},
		{"several dialects", Transport{SendTo: AnyHost, Headers: []Dialect{GRPCTimeout, XDeadline, PreferWait, MuxDeadline}}, "a:1", 1500 * ms,
			http.Header{"Grpc-Timeout": {"1500000u"}, "X-Deadline": {"946684801.500"}, "Prefer": {"wait=1"}}},
		{"one of them too coarse", Transport{SendTo: AnyHost, Headers: []Dialect{PreferWait, XDeadlineMs}}, "a:1", 999 * ms, http.Header{"X-Deadline-Ms": {"999"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				// What a proxy copied is never handed on, and the request stays as it is.
				r := within(t, tt.host, tt.left)
				r.Header = http.Header{"X-Deadline-Ms": {"60000", "1"}, "X-Deadline": {"99999999999"}, "Accept": {"text/plain"}}
				room := append(make([]string, 0, 4), "text/plain") // to grow in place
				r.Header["Accept"] = room
				before, ctx := r.Header.Clone(), r.Context()
				tt.want.Set("Accept", "text/plain")
				tt.t.Base = base(func(out *http.Request) (*http.Response, error) {
					if !reflect.DeepEqual(out.Header, tt.want) {
						t.Errorf("sent %v, want %v", out.Header, tt.want)
					}
					out.Header.Add("Accept", "image/png")
					return answer(out, 200), nil
				})
				resp, err := tt.t.RoundTrip(r)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if !reflect.DeepEqual(r.Header, before) || r.Context() != ctx || room[:2][1] != "" {
					t.Errorf("the request was changed: %v", r.Header)
				}
			})
		})
	}
}

// The context of a call lives until its body was read to the end, failed or was closed.
func TestTransportKeepsTheContext(t *testing.T) {
	for name, end := range map[string]func(*http.Response){
		"read":   func(resp *http.Response) { io.Copy(io.Discard, resp.Body) },
		"closed": func(resp *http.Response) { resp.Body.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ctx context.Context
				tr := Transport{Policy: Policy{Cap: time.Second}, Base: base(func(r *http.Request) (*http.Response, error) {
					ctx = r.Context()
					return answer(r, 200), nil
				})}
				resp, err := tr.RoundTrip(within(t, "a", 0))
				if err != nil || ctx.Err() != nil {
					t.Fatal(err, ctx.Err())
				}
				resp.Body.Read(make([]byte, 1))
				if ctx.Err() != nil {
					t.Error("ended while there is something to read")
				}
				end(resp)
				if ctx.Err() == nil {
					t.Error("lives although nothing is left to read")
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		var ctx context.Context
		tr := Transport{Policy: Policy{Cap: time.Second}, Base: base(func(r *http.Request) (*http.Response, error) {
			ctx = r.Context()
			return &http.Response{StatusCode: 204, Body: http.NoBody}, nil
		})}
		if _, err := tr.RoundTrip(within(t, "a", 0)); err != nil || ctx.Err() == nil {
			t.Error("lives although there is no body", err)
		}
	})
}

// The error says whether the time was the request's or only this call's, and what the transport beneath said.
func TestTransportErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	tests := []struct {
		name  string
		left  time.Duration
		takes time.Duration
		whole bool
		late  bool
	}{
		{"the call's time", 10 * time.Second, 2 * time.Second, false, true},
		{"the request's time", 500 * time.Millisecond, 2 * time.Second, true, true},
		{"in time", 10 * time.Second, 0, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tr := Transport{Policy: Policy{Cap: time.Second, Name: "orders"}, Base: base(func(r *http.Request) (*http.Response, error) {
					time.Sleep(tt.takes)
					return nil, broken
				})}
				_, err := tr.RoundTrip(within(t, "a", tt.left))
				var e *Error
				late := errors.As(err, &e)
				if !errors.Is(err, broken) || late != tt.late || errors.Is(err, context.DeadlineExceeded) != tt.late || late && (e.Whole != tt.whole || e.Op != "orders") {
					t.Errorf("%v %+v", err, e)
				}
			})
		})
	}
}

func TestTransportPeerExpired(t *testing.T) {
	tests := []struct {
		name   string
		policy Policy
		status int
		lines  []string
		want   string
	}{
		{"whole", Policy{}, 504, []string{"X-Deadline-Expired: 1"}, "whole"},
		{"whole but for the reserve", Policy{Reserve: time.Second}, 504, []string{"X-Deadline-Expired: 1"}, "whole"},
		{"slice", Policy{Cap: time.Second}, 504, []string{"X-Deadline-Expired: 1"}, "slice"},
		{"userver", Policy{}, 498, []string{"X-YaTaxi-Deadline-Expired: 1"}, "whole"},
		{"a 504 of somebody else", Policy{}, 504, nil, ""},
		{"the marker without an error", Policy{}, 200, []string{"X-Deadline-Expired: 1"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := new(record)
				tr := Transport{Policy: tt.policy, Observer: n, Base: base(func(r *http.Request) (*http.Response, error) { return answer(r, tt.status, tt.lines...), nil })}
				r := within(t, "a", 10*time.Second)
				resp, err := tr.RoundTrip(r)
				if err != nil || resp.StatusCode != tt.status {
					t.Fatal(resp, err)
				}
				label := ""
				if told := n.of(CountPeerExpired); len(told) > 0 {
					label = told[0].Label
				}
				err = ResponseError(r.Context(), resp)
				var e *Error
				if errors.As(err, &e) != (tt.want != "") || label != tt.want || e != nil && (e.Whole != (tt.want == "whole") || e.Reason != Expired) {
					t.Errorf("told %q, error %v", label, err)
				}
			})
		})
	}
}
