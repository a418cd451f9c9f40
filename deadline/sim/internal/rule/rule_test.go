//go:build go1.25

package rule

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/doneby/doneby/deadline"
)

// upTo is a duration below top ms; a third of them are whole ms, so that some meet exactly.
func upTo(rng *rand.Rand, top int) time.Duration {
	d := time.Duration(rng.IntN(top)) * time.Millisecond
	if rng.IntN(3) > 0 {
		d += time.Duration(rng.IntN(int(time.Millisecond)))
	}
	return d
}

// TestDecisions puts random cases to package deadline, whose time stands still or is faked, and to this one.
func TestDecisions(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, tt := range []struct {
		name  string
		cases int
		one   func(*testing.T, *rand.Rand) bool // whether something was started
	}{
		{"Start", 2000, start},
		{"Take", 2000, take},
		{"Retry", 500, retry},
		{"Tokens", 20, tokens},
	} {
		t.Run(tt.name, func(t *testing.T) {
			yes := 0
			synctest.Test(t, func(t *testing.T) {
				for range tt.cases {
					if tt.one(t, rng) {
						yes++
					}
				}
			})
			if yes < tt.cases/10 || yes > tt.cases*9/10 {
				t.Errorf("%d of %d say yes: the cases show nothing", yes, tt.cases)
			}
		})
	}
}

func policy(rng *rand.Rand) deadline.Policy {
	p := deadline.Policy{Reserve: upTo(rng, 5), Min: upTo(rng, 10)}
	if rng.IntN(2) == 0 {
		p.Cap = p.Min + upTo(rng, 20)
	}
	return p
}

func start(t *testing.T, rng *rand.Rand) bool {
	p, left := policy(rng), upTo(rng, 25)-time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), left)
	defer cancel()
	child, stop, err := p.Start(ctx)
	defer stop()
	want, ok := Usable(p, left)
	if ok != (err == nil) {
		t.Fatalf("%+v with %v left: Start says %v, Usable %v", p, left, err, ok)
	}
	if got, _ := deadline.Remaining(child); ok && got != want {
		t.Fatalf("%+v with %v left: Start gives %v, Usable %v", p, left, got, want)
	}
	return ok
}

func take(t *testing.T, rng *rand.Rand) bool {
	p, left, waited := policy(rng), upTo(rng, 25), upTo(rng, 10)
	ctx, cancel := context.WithTimeout(t.Context(), left)
	defer cancel()
	it := deadline.Stamp(ctx, 1)
	time.Sleep(waited)
	_, stop, err := it.Take(p)
	defer stop()
	_, ok := Usable(p, left-waited)
	if ok != (err == nil) {
		t.Fatalf("%+v, stamped %v before the end, taken %v later: Take says %v, Usable %v", p, left, waited, err, ok)
	}
	return ok
}

// retry makes attempts that fail after times of their own, or at the end of their context, and wants them to begin when they do
// in the package. It reports whether there were any but the first.
func retry(t *testing.T, rng *rand.Rand) bool {
	left, pause := upTo(rng, 60), upTo(rng, 5)
	r := deadline.Retry{Attempts: 1 + rng.IntN(4), AttemptCap: 20 * time.Millisecond, Min: upTo(rng, 8), Reserve: upTo(rng, 5),
		Backoff: deadline.Constant(pause)}
	var takes [4]time.Duration
	for i := range takes {
		takes[i] = upTo(rng, 30)
	}
	short := rng.IntN(4) == 0 // the other side says each time that it has too little

	ctx, cancel := context.WithTimeout(t.Context(), left)
	defer cancel()
	began := time.Now()
	var got []time.Duration
	r.Do(ctx, func(ctx context.Context) error {
		got = append(got, time.Since(began))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(takes[len(got)-1]):
			if short {
				return &deadline.Error{Reason: deadline.BelowMinimum}
			}
			return errors.New("broken")
		}
	})
	want := foretold(r, left, pause, takes[:], short)
	if len(got) != len(want) {
		t.Fatalf("%+v, %v left, %v: attempts at %v, foretold %v", r, left, takes, got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%+v, %v left, %v: attempts at %v, foretold %v", r, left, takes, got, want)
		}
	}
	return len(got) > 1
}

// foretold is when the attempts begin, by Usable and Again.
func foretold(r deadline.Retry, left, pause time.Duration, takes []time.Duration, short bool) (begin []time.Duration) {
	now := time.Duration(0)
	for failures := 0; ; {
		usable, ok := Usable(Attempt(r), left-now)
		if !ok {
			return begin
		}
		begin = append(begin, now)
		whole := usable == left-now-r.Reserve
		now += min(takes[failures], usable)
		expired := takes[failures] >= usable
		failures++
		if !Again(r, failures, left-now, pause, whole && (short || expired)) {
			return begin
		}
		now += pause
	}
}

// tokens pays and takes at random times.
func tokens(t *testing.T, rng *rand.Rand) bool {
	share, floor := 0.05+rng.Float64()/2, 0.5+2*rng.Float64()
	window := time.Second + upTo(rng, 2000)
	theirs, ours := deadline.NewTokens(share, floor, window), NewTokens(share, floor, window)
	began := time.Now()
	granted, asked := 0, 0
	for range 500 {
		time.Sleep(upTo(rng, 40))
		now := time.Since(began)
		if rng.IntN(2) == 0 {
			theirs.Request()
			ours.Request(now)
			continue
		}
		asked++
		got, want := theirs.Retry(), ours.Retry(now)
		if got != want {
			t.Fatalf("share %v, floor %v, window %v, at %v: %v, and the package says %v", share, floor, window, now, want, got)
		}
		if got {
			granted++
		}
	}
	return granted > asked/2
}
