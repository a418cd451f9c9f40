//go:build go1.25

package deadline

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// The route of a request is that of the pattern which http.ServeMux matches, for patterns and paths of all shapes.
func TestRoutesAreThoseOfServeMux(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	matched := 0
	for range 2000 {
		mux, tree, byPattern := http.NewServeMux(), tree{}, map[string]*Route{}
		for range random.IntN(8) {
			pattern := pick("", "", "GET ", "POST\t ") + pick("", "", "h", "h.example")
			for range random.IntN(4) {
				pattern += "/" + pick("a", "b", "%61b", "a.b", "{x}")
			}
			pattern = strings.ReplaceAll(pattern+pick("/", "/a", "/{$}", "/{rest...}", "/{y}"), "{x}/{x}", "{x}/{z}")
			route := &Route{Pattern: pattern}
			if route.register(mux) != nil {
				continue // in conflict with another
			}
			tree.add(pattern, route)
			byPattern[pattern] = route
		}
		for range 40 {
			path := pick("/", "")
			for range random.IntN(5) {
				path += pick("a", "b", "ab", "%61", "%61b", "a.b", ".", "..", "", "c") + pick("/", "/", "")
			}
			u, err := url.ParseRequestURI("/" + strings.TrimPrefix(path, "/"))
			if err != nil {
				t.Fatal(err)
			}
			r := &http.Request{Method: pick("GET", "HEAD", "POST", "PUT"), URL: u, Host: pick("", "h", "h:80", "h.example", "other")}
			got := tree.of(r)
			h, pattern := mux.Handler(r)
			want := byPattern[pattern]
			if redirected(h, r) {
				continue // whose budget matters to nobody
			}
			if got != want {
				t.Fatalf("%s %s%s of %q: %v, ServeMux %v", r.Method, r.Host, u, keys(byPattern), got, want)
			}
			if got != nil {
				matched++
			}
		}
	}
	if matched < 1000 {
		t.Errorf("only %d requests had a route", matched)
	}
}

// redirected reports whether h is ServeMux's answer for a path that is not clean, or lacks its slash.
func redirected(h http.Handler, r *http.Request) bool {
	w := discard{http.Header{}}
	h.ServeHTTP(w, r)
	return w.h.Get("Location") != ""
}

func keys(m map[string]*Route) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	return all
}
