//go:build go1.25

package deadline

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The values differ from call to call, so that none can be kept from the call before. A request with more than seven headers
// needs, with the one that is added, a larger map: two allocations more, as any copy of it.
func TestTransportAllocations(t *testing.T) {
	resp := &http.Response{StatusCode: 200, Header: http.Header{}}
	send := base(func(r *http.Request) (*http.Response, error) {
		resp.Body = io.NopCloser(strings.NewReader(""))
		return resp, nil
	})
	for _, tt := range []struct {
		name    string
		policy  Policy
		headers int
		most    float64
	}{
		{"the request's deadline", Policy{}, 3, 5},
		{"a cap", Policy{Cap: time.Second}, 3, 7},
		{"a reserve", Policy{Reserve: time.Second}, 3, 7},
		{"the request's deadline, many headers", Policy{}, 12, 7},
		{"a cap, many headers", Policy{Cap: time.Second}, 12, 9},
	} {
		r := within(t, "a", time.Minute)
		for i := range tt.headers {
			r.Header["X-"+strconv.Itoa(i)] = []string{"x"}
		}
		tr := Transport{SendTo: AnyHost, Base: send, Policy: tt.policy}
		bare := testing.AllocsPerRun(100, func() { send.RoundTrip(r) })
		n := testing.AllocsPerRun(100, func() {
			if tt.policy.Cap > 0 {
				tr.Policy.Cap += 7 * time.Millisecond
			}
			resp, err := tr.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
		}) - bare
		t.Logf("%s: %v allocations", tt.name, n)
		if n > tt.most {
			t.Errorf("%s: %v allocations, at most %v", tt.name, n, tt.most)
		}
	}
}

// What is sent stays as it is, whatever is sent later.
func TestTransportKeepsValues(t *testing.T) {
	var sent []http.Header
	tr := Transport{SendTo: AnyHost, Headers: []Dialect{UserverTimeoutMs, GRPCTimeout, FinagleDeadline}, Base: base(func(r *http.Request) (*http.Response, error) {
		sent = append(sent, r.Header)
		return answer(r, 200), nil
	})}
	var texts []string
	for i := range 50 {
		resp, err := tr.RoundTrip(within(t, "a", time.Duration(i+1)*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		texts = append(texts, strings.Clone(fmt.Sprint(sent[i])))
	}
	for i := range sent {
		if got := fmt.Sprint(sent[i]); got != texts[i] {
			t.Errorf("%s has become %s", texts[i], got)
		}
	}
}
