//go:build go1.25

package deadline

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"
)

// The edge cases of the contract, a test a row, under a clock that stands still unless somebody waits.

// mustNotRun is a call that is not to be made.
func mustNotRun(t *testing.T) func(context.Context) error {
	return func(context.Context) error {
		t.Helper()
		t.Error("the call was made")
		return nil
	}
}

func TestParentExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("the batch was too slow")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, cause)
		defer cancel()
		time.Sleep(3 * time.Second)
		for name, err := range map[string]error{
			"Do":    Policy{Name: "db"}.Do(ctx, mustNotRun(t)),
			"Retry": Retry{Name: "db"}.Do(ctx, mustNotRun(t)),
			"Check": Check(ctx, 0),
			"Sleep": Sleep(ctx, time.Second, 0),
		} {
			var e *Error
			if !errors.As(err, &e) || e.Reason != Expired || !e.Whole || e.Last != cause {
				t.Errorf("%s: %v, want an expiry whose last error is the cause", name, err)
			}
			if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, cause) || !errors.Is(err, Expired) {
				t.Errorf("%s: %v is not both the deadline and its cause", name, err)
			}
		}
		if Enough(ctx, 0) {
			t.Error("an expired context has enough time")
		}
	})
}

func TestParentCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := observe(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		cancel()
		child, stop, err := Policy{Cap: time.Hour, Min: time.Minute, Name: "db"}.Start(ctx)
		stop()
		if child.Err() != context.Canceled {
			t.Errorf("the context of a refused start: %v", child.Err())
		}
		for name, err := range map[string]error{
			"Start": err,
			"Do":    Policy{}.Do(ctx, mustNotRun(t)),
			"Retry": Retry{}.Do(ctx, mustNotRun(t)),
			"Check": Check(ctx, time.Hour),
			"Sleep": Sleep(ctx, time.Hour, 0),
		} {
			var e *Error
			if !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &e) {
				t.Errorf("%s: %v, want context.Canceled and no deadline", name, err)
			}
		}
		if len(told.events) > 0 {
			t.Errorf("a cancellation was counted: %v", told.events)
		}
	})
}

func TestCapZeroInherits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		child, stop, err := Policy{}.Start(ctx)
		defer stop()
		if left, ok := Remaining(child); err != nil || !ok || left != time.Second {
			t.Errorf("%v %v %v, want the second of the parent", left, ok, err)
		}
	})
}

func TestBadPolicyStartsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, p := range []Policy{
			{Cap: -1},
			{Reserve: -1},
			{Min: -1},
			{Cap: time.Second, Min: time.Second + 1},
			{Cap: math.MinInt64, Reserve: math.MinInt64, Min: math.MinInt64},
		} {
			err := p.Do(t.Context(), mustNotRun(t))
			if !errors.Is(err, BadPolicy) || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%+v: %v, want BadPolicy", p, err)
			}
			child, cancel, _ := p.Start(t.Context())
			cancel()
			if child.Err() == nil {
				t.Errorf("%+v: who overlooks the error has a context that lives", p)
			}
			r := Retry{AttemptCap: p.Cap, Reserve: p.Reserve, Min: p.Min}
			if err := r.Do(t.Context(), mustNotRun(t)); !errors.Is(err, BadPolicy) {
				t.Errorf("%+v: %v, want BadPolicy", r, err)
			}
		}
		for _, d := range []time.Duration{0, -1, math.MinInt64} {
			if _, _, err := Within(t.Context(), d); !errors.Is(err, BadPolicy) {
				t.Errorf("Within %v: %v, want BadPolicy", d, err)
			}
		}
	})
}

func TestNoDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := observe(t)
		err := Policy{Require: true, Name: "db"}.Do(t.Context(), mustNotRun(t))
		if !errors.Is(err, NoDeadline) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want NoDeadline", err)
		}
		if err := (Policy{Require: true, Cap: time.Second}).Do(t.Context(), func(ctx context.Context) error {
			return Check(ctx, time.Second)
		}); err != nil {
			t.Errorf("a cap is a bound too: %v", err)
		}
		if n := told.of(CountUnboundedCall); len(n) != 0 {
			t.Errorf("%v counted as unbounded", n)
		}
		ran := false
		err = Policy{Name: "db"}.Do(t.Context(), func(ctx context.Context) error {
			_, bounded := ctx.Deadline()
			ran = !bounded
			return nil
		})
		if n := told.of(CountUnboundedCall); err != nil || !ran || len(n) != 1 || n[0].Name != "db" {
			t.Errorf("without Require: %v, ran %v, counted %v; want it passed on and counted", err, ran, n)
		}
	})
}

func TestReserveIsNotNegotiable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		p := Policy{Reserve: 60 * time.Millisecond, Min: 50 * time.Millisecond, Name: "db"}
		child, stop, err := p.Start(ctx)
		stop()
		var e *Error
		if !errors.As(err, &e) || e.Reason != BelowMinimum || e.Remaining != 100*time.Millisecond || e.Need != 110*time.Millisecond {
			t.Errorf("%v, want BelowMinimum with 100ms left of 110ms needed", err)
		}
		if child.Err() != context.DeadlineExceeded || ctx.Err() != nil {
			t.Errorf("the refused context %v, its parent %v", child.Err(), ctx.Err())
		}
		if want := "deadline: db: too little time is left (100ms left, 110ms needed)"; err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
		p.Reserve = 50 * time.Millisecond
		if _, stop, err := p.Start(ctx); err != nil {
			t.Errorf("exactly enough: %v", err)
		} else {
			stop()
		}
	})
}

func TestHugeNumbersSaturate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		child, stop, err := Policy{Cap: math.MaxInt64}.Start(ctx)
		defer stop()
		if left, _ := Remaining(child); err != nil || left != time.Second {
			t.Errorf("%v %v, want the second of the parent", left, err)
		}
		alone, stop, err := Policy{Cap: math.MaxInt64}.Start(t.Context())
		defer stop()
		if left, _ := Remaining(alone); err != nil || left != math.MaxInt64 || alone.Err() != nil {
			t.Errorf("%v %v %v, want the longest there is", left, err, alone.Err())
		}
		_, stop, err = Policy{Reserve: math.MaxInt64, Min: math.MaxInt64}.Start(ctx)
		stop()
		var e *Error
		if !errors.As(err, &e) || e.Reason != BelowMinimum || e.Need != math.MaxInt64 {
			t.Errorf("%v, want BelowMinimum", err)
		}
		if err := Sleep(ctx, math.MaxInt64, math.MaxInt64); !errors.Is(err, BelowMinimum) {
			t.Errorf("%v, want BelowMinimum", err)
		}
	})
}
