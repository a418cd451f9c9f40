//go:build go1.25

package deadline

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"
)

// take takes out all the retries there are, and counts them.
func take(t *Tokens) (n int) {
	for n < 10_000 && t.Retry() {
		n++
	}
	return n
}

func TestTokensOfFinagle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		zero := &Tokens{}
		if n := take(zero); n != 100 {
			t.Errorf("%d, want ten a second for ten seconds", n)
		}
		for range 1000 {
			zero.Request()
		}
		if n := take(zero); n != 200 {
			t.Errorf("%d, want a fifth of 1000", n)
		}
		time.Sleep(11 * time.Second)
		if n := take(zero); n != 100 {
			t.Errorf("%d, want all forgotten but the floor", n)
		}
		none := NewTokens(0.1, -1, time.Second)
		if n := take(none); n != 0 {
			t.Errorf("%d without a floor and without requests", n)
		}
		for range 30 {
			none.Request()
		}
		time.Sleep(500 * time.Millisecond)
		if n := take(none); n != 3 {
			t.Errorf("%d, want a tenth of 30", n)
		}
		time.Sleep(700 * time.Millisecond)
		for range 5 {
			none.Request()
		}
		// The payments of 30 are forgotten, the retries that were taken later are not yet.
		if n := take(none); n != 0 {
			t.Errorf("%d, want none", n)
		}
		time.Sleep(time.Hour)
		for range 10 {
			none.Request()
		}
		if n := take(none); n != 1 {
			t.Errorf("%d, want one of ten", n)
		}
	})
}

func TestTokensOfGRPC(t *testing.T) {
	b := NewThrottle(0, 0)
	failed := 0
	for b.Retry() {
		b.Failure()
		failed++
	}
	if failed != 5 {
		t.Errorf("throttled after %d failures, want 5 of 10", failed)
	}
	b.Failure()
	for range 10 {
		b.Success()
	}
	if b.Retry() {
		t.Error("ten successes make good one failure, and no more than that")
	}
	for range 200 {
		b.Success()
	}
	for range 4 {
		b.Failure()
	}
	if !b.Retry() {
		t.Error("more than half is there: successes fill up to the size and no further")
	}
	b.Failure()
	if b.Retry() {
		t.Error("half is not more than half")
	}
}

// Without tokens, attempts multiply at each hop; with them, they stay a share of the requests.
func TestRetryWithTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := observe(t)
		calls := 0
		r := Retry{Backoff: Constant(0), Budget: NewTokens(0.1, -1, time.Minute), Name: "db"}
		for range 1000 {
			r.Do(context.Background(), fails(&calls, 0, errReset))
		}
		if calls != 1100 {
			t.Errorf("%d calls of 1000 requests, want 1100", calls)
		}
		if n := told.of(CountRetryDenied); len(n) != 1000 || n[0].Label != "tokens" {
			t.Errorf("%d denied, %+v", len(n), n[0])
		}
		calls = 0
		r.Budget = NewThrottle(10, 0.1)
		for range 1000 {
			r.Do(context.Background(), fails(&calls, 0, errReset))
		}
		if calls < 1000 || calls > 1010 {
			t.Errorf("%d calls of 1000 requests that all fail, want hardly a retry", calls)
		}
	})
	var none *Tokens
	if none.Request(); !none.Retry() {
		t.Error("no tokens at all are no limit")
	}
}

// What is no number is not taken for one: the defaults hold.
func TestTokensOfNoNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, tokens := range map[string]*Tokens{"share": NewTokens(math.NaN(), math.NaN(), 0), "zero": {}} {
			tokens.Request()
			if n := take(tokens); n != 100 {
				t.Errorf("%s: %d retries, want the floor of 100", name, n)
			}
		}
		throttle := NewThrottle(math.NaN(), math.NaN())
		for range 5 {
			throttle.Failure()
		}
		if throttle.Retry() {
			t.Error("half of the tokens are gone, and there are retries")
		}
	})
}
