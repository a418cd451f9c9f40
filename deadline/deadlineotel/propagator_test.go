package deadlineotel

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/doneby/doneby/deadline"
	"go.opentelemetry.io/otel/propagation"
)

func TestInject(t *testing.T) {
	tests := []struct {
		name string
		left time.Duration // 0 is no deadline
		want string
	}{
		{"no deadline, no word", 0, ""},
		{"whole milliseconds", 1500 * time.Millisecond, "1500"},
		{"rounded down", 2*time.Millisecond - 1, "1"},
		{"less than can be said", time.Microsecond, "0"},
		{"up", -time.Second, "0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := t.Context(), context.CancelFunc(func() {})
				if tt.left != 0 {
					ctx, cancel = context.WithTimeout(ctx, tt.left)
				}
				defer cancel()
				carrier := propagation.MapCarrier{}
				Propagator{}.Inject(ctx, carrier)
				if got := carrier[Propagator{}.Fields()[0]]; got != tt.want {
					t.Errorf("%q, want %q", got, tt.want)
				}
			})
		})
	}
}

// What came is only pending, ages, and can only shorten what the place where the work begins allows.
func TestClaim(t *testing.T) {
	const most = 5 * time.Second
	tests := []struct {
		name    string
		carrier propagation.TextMapCarrier
		pending bool
		want    time.Duration // after a second in between; 0 is ended
	}{
		{"nothing came", propagation.MapCarrier{}, false, most},
		{"less", propagation.MapCarrier{field: "3000"}, true, 2 * time.Second},
		{"more", propagation.MapCarrier{field: "900000"}, true, most},
		{"up", propagation.MapCarrier{field: "0"}, true, 0},
		{"up in between", propagation.MapCarrier{field: "900"}, true, 0},
		{"garbage", propagation.MapCarrier{field: "-1"}, false, most},
		{"huge", propagation.MapCarrier{field: "99999999999999999999"}, true, most},
		{"the smallest of several", propagation.HeaderCarrier(http.Header{"X-Deadline-Ms": {"9000", "x", "3000"}}), true, 2 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := Propagator{}.Extract(t.Context(), tt.carrier)
				if _, bounded := ctx.Deadline(); bounded {
					t.Error("a propagator has set a deadline")
				}
				time.Sleep(time.Second)
				if _, ok := Pending(ctx); ok != tt.pending {
					t.Errorf("pending is %v", ok)
				}
				work, done := Claim(ctx, most, "order")
				defer done()
				left, _ := deadline.Remaining(work)
				if max(0, left) != tt.want || (work.Err() != nil) != (tt.want == 0) {
					t.Errorf("%v are left (%v), want %v", left, work.Err(), tt.want)
				}
			})
		})
	}
}

// Three hops never grow.
func TestPropagatorHops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second-1)
		defer cancel()
		for range 3 {
			end, _ := ctx.Deadline()
			carrier := propagation.MapCarrier{}
			Propagator{}.Inject(ctx, carrier)
			next, done := Claim(Propagator{}.Extract(t.Context(), carrier), time.Hour, "hop")
			defer done()
			if got, _ := next.Deadline(); got.After(end) {
				t.Fatalf("%v grew to %v", end, got)
			}
			ctx = next
		}
	})
}
