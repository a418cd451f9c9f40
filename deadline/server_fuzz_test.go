package deadline

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// inputs is everything that decides about a request's time, from inside and from outside.
type inputs struct {
	trust, mode          uint8
	def, max, min, hold  int64 // of the route
	skew, transit        int64
	parent               int64 // of the context, 0 is none
	fraction             float64
	row                  uint8
	value, other, router string
}

// FuzzServer: for all inputs the request's deadline is at most min(the context's, now + the route's Max), and there is one.
func FuzzServer(f *testing.F) {
	for i, value := range seedValues {
		f.Add(uint8(i), uint8(0), int64(Human), int64(Batch), int64(0), int64(0), int64(time.Second), int64(0), int64(0), 0.0, uint8(i), value, "28500", "t=1735732800.1")
	}
	f.Fuzz(func(t *testing.T, trust, mode uint8, def, most, min, hold, skew, transit, parent int64, fraction float64, row uint8, value, other, router string) {
		withinBounds(t, inputs{trust, mode, def, most, min, hold, skew, transit, parent, fraction, row, value, other, router})
	})
}

// TestServerBounds is the same sentence over figures that are valid more often than the fuzzer's.
func TestServerBounds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	figure := func() int64 { return rnd.Int64N(int64(time.Minute)) >> rnd.IntN(30) }
	for range 20_000 {
		in := inputs{trust: uint8(rnd.IntN(3)), max: figure(), min: figure() >> 8, hold: figure() >> 8, skew: figure(), transit: figure() >> 8,
			parent: figure() - int64(time.Second), row: uint8(rnd.IntN(len(wires))), other: seedValues[rnd.IntN(len(seedValues))]}
		in.def = in.max - in.max>>rnd.IntN(5)
		value, _ := Dialect{row: in.row}.Append(nil, time.Duration(figure()*2), time.Now())
		in.value = string(value)
		if rnd.IntN(2) == 0 {
			in.fraction = 0.01
		}
		withinBounds(t, in)
	}
}

func withinBounds(t *testing.T, in inputs) {
	t.Helper()
	dialect := Dialect{row: in.row % uint8(len(wires))}
	if dialect.Field() == "" {
		dialect = dialect.Named("X-Frame")
	}
	server := Server{
		Trust: Trust(in.trust % 3), Default: time.Duration(in.def), Max: time.Duration(in.max), Min: time.Duration(in.min),
		Reserve: time.Duration(in.hold), Skew: time.Duration(in.skew), Transit: time.Duration(in.transit),
		Headers: []Dialect{dialect, XDeadlineMs}, Arrival: RequestStart("X-Request-Start"), MaxRejectFraction: in.fraction, Mode: Mode(in.mode % 2),
	}
	most := server.Max
	switch { // the route's Max, in words
	case most == 0 && server.Default == 0:
		most = Human
	case most == 0:
		most = server.Default
	}
	ctx := context.Background()
	if in.parent != 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(in.parent))
		defer cancel()
	}
	called := false
	wrapped := server.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		called = true
		end, ok := r.Context().Deadline()
		if server.Mode == Observe {
			if r.Context() != ctx {
				t.Fatal("Observe changed the context")
			}
			return
		}
		now := time.Now() // later than the now of the server, so this is no weaker bound than it looks: the handler may have less
		if !ok || end.After(now.Add(most)) {
			t.Fatalf("%+v: deadline in %v, Max is %v", in, end.Sub(now), most)
		}
		if parent, ok := ctx.Deadline(); ok && end.After(parent) {
			t.Fatalf("%+v: deadline %v is later than the context's", in, end.Sub(parent))
		}
	}))
	r := httptest.NewRequest("GET", "/", nil).WithContext(ctx)
	r.Header = http.Header{dialect.Field(): {in.value, in.other}, "X-Deadline-Ms": {in.other, in.value}, "X-Request-Start": {in.router}}
	w := httptest.NewRecorder()
	wrapped.ServeHTTP(w, r)
	if valid := server.Validate() == nil; !called && w.Code == 200 || called && !valid {
		t.Fatalf("%+v: called %v, valid %v, answer %d", in, called, valid, w.Code)
	}
}
