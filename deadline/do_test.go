//go:build go1.25

package deadline

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// What the end of a call makes of its error.
func TestDoClassifies(t *testing.T) {
	real := errors.New("connection reset")
	until := func(err error) func(context.Context) error {
		return func(ctx context.Context) error { <-ctx.Done(); return err }
	}
	for name, c := range map[string]struct {
		policy Policy
		parent time.Duration
		call   func(context.Context) error
		whole  bool
		reason Reason // 0: the error stays as it is
	}{
		"success":                {Policy{Cap: time.Second}, time.Minute, func(context.Context) error { return nil }, false, 0},
		"an error in time":       {Policy{Cap: time.Second}, time.Minute, func(context.Context) error { return real }, false, 0},
		"the cap passed":         {Policy{Cap: time.Second}, time.Minute, until(real), false, Expired},
		"the deadline passed":    {Policy{Cap: time.Hour}, time.Minute, until(real), true, Expired},
		"all but the reserve":    {Policy{Reserve: time.Second}, time.Minute, until(real), true, Expired},
		"the time of a call":     {Policy{}, time.Minute, func(context.Context) error { return context.DeadlineExceeded }, false, 0},
		"late, but it succeeded": {Policy{Cap: time.Second}, time.Minute, until(nil), false, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), c.parent)
			defer cancel()
			var last error
			err := c.policy.Do(ctx, func(ctx context.Context) error { last = c.call(ctx); return last })
			var e *Error
			switch is := errors.As(err, &e); {
			case c.reason == 0 && err != last:
				t.Errorf("%s: %v, want %v", name, err, last)
			case c.reason != 0 && (!is || e.Reason != c.reason || e.Whole != c.whole || !errors.Is(err, last)):
				t.Errorf("%s: %#v, want %v, whole %v, and the error of the call", name, err, c.reason, c.whole)
			}
		})
	}
}

func TestDoOfCallerThatLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		real := errors.New("connection reset")
		for _, own := range []error{real, context.Canceled} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			err := Policy{Cap: time.Millisecond}.Do(ctx, func(context.Context) error { cancel(); return own })
			if !errors.Is(err, context.Canceled) || !errors.Is(err, own) || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v, want context.Canceled and %v", err, own)
			}
		}
	})
}

func TestErrorIsNetError(t *testing.T) {
	var err error = &Error{Op: "db", Reason: Expired, Over: 3 * time.Millisecond, Last: errors.New("reset")}
	ne, ok := err.(net.Error)
	if !ok || !ne.Timeout() || ne.Temporary() {
		t.Errorf("%v is not a net.Error that timed out", err)
	}
	if want := "deadline: db: the time is up (3ms ago): reset"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	for r := Expired; r <= BadPolicy; r++ {
		if timely := r != NoDeadline && r != BadPolicy; errors.Is(&Error{Reason: r}, context.DeadlineExceeded) != timely {
			t.Errorf("%v: wrong about context.DeadlineExceeded", r)
		}
		if !errors.Is(&Error{Reason: r}, r) || errors.Is(&Error{Reason: r}, r+1) {
			t.Errorf("%v: wrong about its reason", r)
		}
	}
	if text := Reason(0).Error(); text != "unknown reason" || Reason(99).Error() != text {
		t.Errorf("a reason that is none: %q", text)
	}
}

// Calls in parallel have the same time each, calls in sequence what is left.
func TestParallelAndSequence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		p := Policy{Reserve: time.Second}
		left := func(ctx context.Context) time.Duration { d, _ := Remaining(ctx); return d }
		one, stopOne, _ := p.Start(ctx)
		defer stopOne()
		two, stopTwo, _ := p.Start(ctx)
		defer stopTwo()
		if left(one) != 9*time.Second || left(two) != 9*time.Second {
			t.Errorf("in parallel: %v and %v, want 9s each", left(one), left(two))
		}
		time.Sleep(4 * time.Second)
		next, stopNext, _ := p.Start(ctx)
		defer stopNext()
		if left(next) != 5*time.Second {
			t.Errorf("in sequence: %v, want 5s", left(next))
		}
		nested, stopNested, _ := p.Start(next)
		defer stopNested()
		if left(nested) != 4*time.Second {
			t.Errorf("below: %v, want a reserve for each hop", left(nested))
		}
	})
}

// The account tells the shares of the calls, and the work that went on in vain.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := observe(t)
		edge, gone := context.WithCancel(t.Context())
		ctx, done := WithBudget(edge, 4*time.Second, "GET /orders")
		if b, ok := BudgetOf(ctx); !ok || b.Route != "GET /orders" || b.Total != 4*time.Second || b.Began.IsZero() {
			t.Errorf("%+v %v", b, ok)
		}
		Policy{Name: "db"}.Do(ctx, func(context.Context) error { time.Sleep(time.Second); return nil })
		if got := told.of(ShareOfBudget); len(got) != 1 || got[0].Name != "db" || got[0].Share != 0.25 || got[0].Time != time.Second {
			t.Errorf("%+v, want a quarter", got)
		}
		gone()
		time.Sleep(2 * time.Second)
		done()
		done()
		if got := told.of(TimeWastedAfterClientGone); len(got) != 1 || got[0].Time != 2*time.Second || got[0].Name != "GET /orders" {
			t.Errorf("%+v, want 2s after the caller had gone", got)
		}
		ctx, done = WithBudget(t.Context(), time.Second, "job")
		time.Sleep(5 * time.Second)
		done()
		if got := told.of(TimeWastedAfterDeadline); len(got) != 1 || got[0].Time != 4*time.Second || len(told.of(CountLateFinish)) != 1 {
			t.Errorf("%+v, want 4s after the deadline", got)
		}
		if !errors.Is(context.Cause(ctx), Expired) {
			t.Errorf("the cause is %v", context.Cause(ctx))
		}
		ctx, done = WithBudget(t.Context(), 0, "nothing")
		if ctx.Err() != context.DeadlineExceeded {
			t.Errorf("a budget of 0: %v", ctx.Err())
		}
		done()
		short, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		ctx, done = WithBudget(short, time.Minute, "in time")
		if b, _ := BudgetOf(ctx); b.Total != time.Second {
			t.Errorf("the account holds %v, and the context 1s", b.Total)
		}
		wasted := len(told.of(TimeWastedAfterDeadline))
		done()
		if ctx.Err() != context.Canceled || len(told.of(TimeWastedAfterDeadline)) != wasted {
			t.Errorf("%v, told %v; want it cancelled and nothing wasted", ctx.Err(), told.events)
		}
	})
	if _, ok := BudgetOf(context.Background()); ok {
		t.Error("an account that nobody opened")
	}
}

func TestKindsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds() {
		if seen[k.String()] || k.String() == "unknown" {
			t.Errorf("%d: %q", k, k)
		}
		seen[k.String()] = true
	}
	if len(seen) < 20 || Kind(0).String() != "unknown" || Kind(255).String() != "unknown" {
		t.Errorf("%d names", len(seen))
	}
	if CountSkewed.Histogram() || !TimeRemainingOnArrival.Histogram() || !ShareOfBudget.Histogram() {
		t.Error("counters and histograms are mixed up")
	}
}
