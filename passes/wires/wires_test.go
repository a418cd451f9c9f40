package wires

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"testing"

	"github.com/doneby/doneby/internal/passtest"
)

// TestNames wants headers and parameters to be told from the timeouts of other things.
func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"X-Deadline-Ms": true, "grpc-timeout": true, "Grpc-Timeout": true, "Connect-Timeout-Ms": true, "X-Time-Left-Ms": true, "timeout": true, "X-Rpc-Timeout": true,
		"X-Prometheus-Scrape-Timeout-Seconds": true, "X-Envoy-Expected-Rq-Timeout-Ms": true, "deadlineMs": true,
		"X-Session-Timeout": false, "Keep-Alive": false, "Content-Type": false, "idle_timeout": false, "X-Deadline-Exceeded": false, "Date": false, "lockTimeout": false, "": false,
	} {
		if got := isLimit(name); got != want {
			t.Errorf("isLimit(%q) = %t", name, got)
		}
	}
	for name, want := range map[string]bool{
		"Expiry": true, "ExpiresAt": true, "Deadline": true, "TimeoutMs": true, "Expires": true, "TokenExpiresAt": false, "CacheExpiry": false, "Created": false,
	} {
		if got := limitField(name); got != want {
			t.Errorf("limitField(%q) = %t", name, got)
		}
	}
}

// TestMessages wants the fields of work that have a form in which they travel.
func TestMessages(t *testing.T) {
	const src = "package p\nimport (\"context\"; \"time\")\n" +
		"type Request struct { Expiry int64; Name string }\n" +
		"type JobEnvelope struct { Deadline time.Time `json:\"deadline\"` }\n" +
		"type Task struct { Deadline time.Time }\n" +
		"type Token struct { Expiry int64 }\n" +
		"type Call struct { Ctx context.Context; TimeoutMs int }\n"
	pkg := passtest.Run(t, Analyzer, passtest.One("example.com/p", src))[0].Pass.Pkg
	for name, want := range map[string]int{"Request": 1, "JobEnvelope": 1, "Task": 0, "Token": 0, "Call": 0} {
		if got := limitsOf(pkg.Scope().Lookup(name).(*types.TypeName).Type()); len(got) != want {
			t.Errorf("%s: %v, want %d", name, got, want)
		}
	}
}

const lib = `package lib
import ("context"; "net/http"; "time")
type sender struct{}
func (sender) RoundTrip(r *http.Request) (*http.Response, error) {
	d, _ := r.Context().Deadline()
	r.Header.Set("X-Deadline", time.Until(d).String())
	return http.DefaultTransport.RoundTrip(r)
}
var client = &http.Client{Transport: sender{}}
func Get(ctx context.Context) { req, _ := http.NewRequestWithContext(ctx, "GET", "/", nil); client.Do(req) }
func Through(ctx context.Context) { Get(ctx) }
func Fixed(r *http.Request) { r.Header.Set("X-Timeout", "5s") }
func Plain(ctx context.Context) { req, _ := http.NewRequestWithContext(ctx, "GET", "/", nil); http.DefaultClient.Do(req) }
`

const user = `package user
import ("context"; "net/http"; "example.com/lib")
func price(ctx context.Context) { lib.Through(ctx) }
func hook(ctx context.Context) { req, _ := http.NewRequestWithContext(ctx, "POST", "/", nil); http.DefaultClient.Do(req) }
`

// TestCarries wants the facts of functions that carry, and what stands beside them to be judged in the next package too.
func TestCarries(t *testing.T) {
	res := passtest.Run(t, Analyzer, passtest.One("example.com/lib", lib), passtest.One("example.com/user", user))
	facts := slices.DeleteFunc(res[0].Facts(), func(s string) bool {
		return !slices.Contains([]string{"Get", "Through", "Fixed", "Plain"}, s[:max(0, len(s)-len(": carries the deadline"))])
	})
	if want := []string{"Get: carries the deadline", "Through: carries the deadline"}; !reflect.DeepEqual(facts, want) {
		t.Errorf("facts %q, want %q", facts, want)
	}
	for i, want := range [][]string{{"12 constant", "13 request"}, {"4 request"}} {
		var got []string
		for _, l := range res[i].Value.(*Result).Losses() {
			got = append(got, fmt.Sprintf("%d %s", res[i].Pass.Fset.Position(l.Pos).Line, l.Kind))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("package %d: %q, want %q", i, got, want)
		}
	}
}
