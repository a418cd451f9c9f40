package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
)

// A request with enough time, one whose time passes during the work, and one that comes too late, as Prometheus sees them.
func TestMetrics(t *testing.T) {
	handler, err := serve()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	for _, left := range []string{"3000", "50", "10"} {
		get(t, server.URL+"/report", left)
	}
	got := get(t, server.URL+"/metrics", "")
	for _, line := range []string{
		`deadline_received_total\{deadline_header="X-Deadline-Ms",deadline_name="default"\} 3`,
		`deadline_below_minimum_total\{deadline_name="default"\} 1`,
		`deadline_late_finish_total\{deadline_name="default"\} 1`,
		`deadline_remaining_on_arrival_seconds_bucket\{deadline_header="X-Deadline-Ms",deadline_name="default",le="0.01"\} 1`,
		`deadline_wasted_after_deadline_seconds_count\{deadline_name="default"\} 1`,
	} {
		if !regexp.MustCompile("(?m)^" + line + "$").MatchString(got) {
			t.Errorf("no line %s in\n%s", line, got)
		}
	}
}

func get(t *testing.T, url, left string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if left != "" {
		r.Header.Set("X-Deadline-Ms", left)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
