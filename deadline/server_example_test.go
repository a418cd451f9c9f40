package deadline_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/doneby/doneby/deadline"
)

func list(w http.ResponseWriter, r *http.Request) {
	if left, ok := deadline.Remaining(r.Context()); ok {
		fmt.Println("the handler has", left.Round(100*time.Millisecond))
	}
}

// respond sends a request to h, with the header if it is not empty, and prints the answer.
func respond(h http.Handler, target, ms string) {
	r := httptest.NewRequest("GET", target, nil)
	if ms != "" {
		r.Header.Set("X-Deadline-Ms", ms)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Header().Get(deadline.HeaderExpired) != "" {
		fmt.Print("expired: ")
	}
	fmt.Println(w.Code)
}

func ExampleServer() {
	server := deadline.Server{
		Default: deadline.Internal,      // without a header
		Reserve: 20 * time.Millisecond,  // ours, to answer
		Min:     100 * time.Millisecond, // with less it is not worth beginning
		Routes:  []deadline.Route{{Pattern: "/events", Stream: true}},
		Mode:    deadline.Observe, // for the first weeks; then take this line away
	}
	handler := server.Wrap(http.HandlerFunc(list))
	respond(handler, "/orders", "3000")
	// Output:
	// 200
}

func ExampleServer_enforce() {
	handler := deadline.Server{Default: deadline.Internal, Min: 100 * time.Millisecond}.Wrap(http.HandlerFunc(list))
	respond(handler, "/orders", "3000")
	respond(handler, "/orders", "900000") // whoever calls can shorten, not lengthen
	respond(handler, "/orders", "50")     // too late to begin
	// Output:
	// the handler has 3s
	// 200
	// the handler has 5s
	// 200
	// expired: 504
}

func ExampleTransport() {
	client := &http.Client{Transport: &deadline.Transport{
		PerHost: map[string]deadline.Policy{"payments:8080": payments}, // these are told what is left; others are not
		Latency: &deadline.Latency{Fixed: time.Millisecond},
	}}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "GET", "http://payments:8080/charge", nil)
	if err != nil {
		return
	}
	resp, err := client.Do(request)
	if err != nil {
		fmt.Println("refused before anything was dialled:", err != nil)
		return
	}
	defer resp.Body.Close()
	if err := deadline.ResponseError(ctx, resp); err != nil {
		fmt.Println(err) // the other side says that the time was up
	}
	// Output: refused before anything was dialled: true
}

func ExampleTransport_reverseProxy() {
	backend, err := url.Parse("http://orders:8080")
	if err != nil {
		return
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(backend) },
		Transport: &deadline.Transport{SendTo: deadline.AnyHost, Policy: deadline.Policy{Reserve: 50 * time.Millisecond}},
	}
	edge := deadline.Server{Default: deadline.Human, Trust: deadline.Untrusted}.Wrap(proxy)
	_ = http.Server{Handler: edge, ReadHeaderTimeout: 5 * time.Second}
	// Output:
}

func ExampleDialect() {
	server := deadline.Server{Headers: []deadline.Dialect{
		deadline.XDeadlineMs, deadline.GRPCTimeout, deadline.ConnectTimeoutMs,
		deadline.XDeadlineMs.Named("X-Acme-Budget-Ms"), // a header of one's own, in the same form
	}}
	fmt.Println(server.Validate())

	left, verdict := deadline.GRPCTimeout.Parse("1500m", time.Now(), 0)
	fmt.Println(left, verdict)
	// Output:
	// <nil>
	// 1.5s valid
}
