//go:build go1.25

package deadline

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

var errReset = errors.New("connection reset")

// fails is a call that takes its time, unless its context ends, and fails; it counts.
func fails(calls *int, takes time.Duration, err error) func(context.Context) error {
	return func(ctx context.Context) error {
		*calls++
		if woken := wait(ctx, takes); woken != nil {
			return woken
		}
		return err
	}
}

func TestRetryStops(t *testing.T) {
	pushed := func(d time.Duration) error { return fmt.Errorf("503: %w", PushBack(errReset, d)) }
	second := Constant(time.Second)
	for name, c := range map[string]struct {
		retry  Retry
		limit  time.Duration // of the caller
		takes  time.Duration
		err    error
		calls  int
		took   time.Duration
		want   error // beside err
		unwant error
	}{
		"attempts":             {Retry{Attempts: 2, Backoff: second}, time.Hour, time.Second, errReset, 2, 3 * time.Second, errReset, context.DeadlineExceeded},
		"three by default":     {Retry{Backoff: second}, time.Hour, time.Second, errReset, 3, 5 * time.Second, errReset, context.DeadlineExceeded},
		"the pause does not":   {Retry{Backoff: Constant(time.Minute)}, 30 * time.Second, time.Second, errReset, 1, time.Second, RetryWouldNotFit, nil},
		"the minimum does not": {Retry{Backoff: second, Min: 6 * time.Second}, 9 * time.Second, 3 * time.Second, errReset, 1, 3 * time.Second, RetryWouldNotFit, nil},
		"the reserve does not": {Retry{Backoff: second, Reserve: 6 * time.Second}, 9 * time.Second, 2 * time.Second, errReset, 1, 2 * time.Second, RetryWouldNotFit, nil},
		"it fits exactly":      {Retry{Attempts: 2, Backoff: second, Min: 5 * time.Second}, 9 * time.Second, 3 * time.Second, errReset, 2, 7 * time.Second, errReset, RetryWouldNotFit},
		"asked to wait longer": {Retry{Attempts: 2, Backoff: second}, time.Hour, 0, pushed(5 * time.Second), 2, 5 * time.Second, errReset, RetryWouldNotFit},
		"asked to wait less":   {Retry{Attempts: 2, Backoff: second}, time.Hour, 0, pushed(0), 2, time.Second, errReset, RetryWouldNotFit},
		"asked too much":       {Retry{Backoff: second}, time.Minute, 0, pushed(time.Hour), 1, 0, RetryWouldNotFit, nil},
		"asked to stay away":   {Retry{Backoff: second}, time.Minute, 0, pushed(-1), 1, 0, errReset, RetryWouldNotFit},
		"not for a retry":      {Retry{Retryable: func(error) bool { return false }}, time.Minute, 0, errReset, 1, 0, errReset, nil},
		"cancelled below":      {Retry{}, time.Minute, 0, context.Canceled, 1, 0, context.Canceled, nil},
		"a mistake below":      {Retry{}, time.Minute, 0, &Error{Reason: NoDeadline, Last: errReset}, 1, 0, NoDeadline, nil},
		"the deadline passed":  {Retry{}, time.Second, time.Minute, errReset, 1, time.Second, Expired, errReset},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), c.limit)
			defer cancel()
			calls := 0
			err := c.retry.Do(ctx, fails(&calls, c.takes, c.err))
			if took := time.Since(began); calls != c.calls || took != c.took {
				t.Errorf("%s: %d calls in %v, want %d in %v", name, calls, took, c.calls, c.took)
			}
			if !errors.Is(err, c.want) || c.unwant != nil && errors.Is(err, c.unwant) {
				t.Errorf("%s: %v, want %v and not %v", name, err, c.want, c.unwant)
			}
			if c.want == RetryWouldNotFit && (!errors.Is(err, errReset) || !errors.Is(err, context.DeadlineExceeded)) {
				t.Errorf("%s: %v does not say both reasons", name, err)
			}
		})
	}
}

// One attempt's expiry is retried; the caller's is not, and neither is its cancellation.
func TestRetryTellsExpiriesApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		calls := 0
		r := Retry{AttemptCap: time.Second, Backoff: Constant(0), Name: "db"}
		err := r.Do(ctx, func(ctx context.Context) error {
			if calls++; calls < 3 {
				<-ctx.Done()
			}
			return ctx.Err()
		})
		if err != nil || calls != 3 {
			t.Errorf("%v after %d attempts, want success after two that expired", err, calls)
		}

		calls = 0
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		time.AfterFunc(1500*time.Millisecond, cancel)
		err = r.Do(ctx, fails(&calls, time.Hour, errReset))
		if !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || calls != 2 {
			t.Errorf("%v after %d attempts, want the cancellation", err, calls)
		}

		calls = 0
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		time.AfterFunc(1500*time.Millisecond, cancel)
		r.Backoff = Constant(10 * time.Second)
		err = r.Do(ctx, fails(&calls, 0, errReset))
		if !errors.Is(err, context.Canceled) || !errors.Is(err, errReset) || calls != 1 {
			t.Errorf("%v after %d attempts, want the cancellation in the pause, and the last error", err, calls)
		}
	})
}

// Who below had the whole time and says that it was too little is not asked again; with a slice of it, it is.
func TestRetryOfWholeBudget(t *testing.T) {
	for cap, want := range map[time.Duration]int{0: 1, time.Second: 3} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			calls := 0
			remote := &Error{Reason: Expired, Whole: true, Last: errReset}
			err := Retry{AttemptCap: cap, Backoff: Constant(0)}.Do(ctx, fails(&calls, 0, remote))
			if !errors.Is(err, remote) || calls != want {
				t.Errorf("with a cap of %v: %v after %d attempts, want %d", cap, err, calls, want)
			}
		})
	}
}

func TestRetrySplits(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		retry Retry
		want  []time.Duration // what each attempt is given; each uses all of it
	}{
		{Retry{Split: SplitNone, AttemptCap: 4 * s}, []time.Duration{4 * s, 4 * s, 2 * s}},
		{Retry{Split: SplitEven}, []time.Duration{4 * s, 3500 * time.Millisecond, 3500 * time.Millisecond}},
		{Retry{Split: SplitEven, Reserve: s}, []time.Duration{11 * s / 3, 19 * s / 6, 13 * s / 6}},
		{Retry{Split: SplitEven, AttemptCap: 2 * s}, []time.Duration{2 * s, 2 * s, 2 * s}},
		{Retry{Split: SplitFirstHeavy}, []time.Duration{6 * s, 2500 * time.Millisecond, 2500 * time.Millisecond}},
		{Retry{Split: SplitFirstHeavy, Min: 5 * s}, []time.Duration{6 * s, 5 * s}},
		{Retry{Split: SplitNone}, []time.Duration{12 * s}},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 12*s)
			defer cancel()
			c.retry.Backoff = func(failures int) time.Duration { return map[int]time.Duration{1: s}[failures] }
			if c.retry.Reserve > 0 || c.retry.AttemptCap == 4*s {
				c.retry.Backoff = Constant(s)
			}
			var got []time.Duration
			c.retry.Do(ctx, func(ctx context.Context) error {
				left, _ := Remaining(ctx)
				got = append(got, left.Round(time.Millisecond))
				<-ctx.Done()
				return ctx.Err()
			})
			for i := range c.want {
				c.want[i] = c.want[i].Round(time.Millisecond)
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%+v: the attempts had %v, want %v", c.retry.Split, got, c.want)
			}
		})
	}
}

func TestRetryWithEstimate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := Retry{Attempts: 2, Backoff: Constant(0), Estimate: &Estimate{}}
		do := func(limit time.Duration) (calls int, err error) {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			err = r.Do(ctx, fails(&calls, 2*time.Second, errReset))
			return calls, err
		}
		for range 8 {
			if calls, _ := do(time.Minute); calls != 2 {
				t.Fatalf("%d calls before anything is known", calls)
			}
		}
		if calls, err := do(3 * time.Second); calls != 1 || !errors.Is(err, RetryWouldNotFit) {
			t.Errorf("%d calls, %v: another 2s do not fit in 1s", calls, err)
		}
		if calls, _ := do(time.Second); calls != 1 {
			t.Errorf("%d calls: an estimate forbids no first attempt", calls)
		}
		r.AttemptCap = 500 * time.Millisecond
		if calls, _ := do(1100 * time.Millisecond); calls != 2 {
			t.Errorf("%d calls: none takes longer than its cap", calls)
		}
	})
}

func TestRetryOfNothing(t *testing.T) {
	if err := (Retry{Attempts: -1}).Do(context.Background(), mustNotRun(t)); !errors.Is(err, BadPolicy) {
		t.Errorf("%v, want BadPolicy", err)
	}
	if PushBack(nil, time.Second) != nil {
		t.Error("no error pushes back")
	}
}

func TestBackoff(t *testing.T) {
	pause := Exponential(100*time.Millisecond, time.Second)
	for failures, top := range map[int]time.Duration{-1: 100, 0: 100, 1: 100, 2: 200, 4: 800, 5: 1000, 63: 1000, 1 << 40: 1000} {
		longest := time.Duration(0)
		for range 2000 {
			longest = max(longest, pause(failures))
		}
		if top *= time.Millisecond; longest >= top || longest < top/2 {
			t.Errorf("after %d failures: up to %v, want nearly %v", failures, longest, top)
		}
	}
	if Exponential(0, 0)(3) != 0 || Exponential(time.Second, -1)(3) != 0 {
		t.Error("a limit of nothing is no pause")
	}
}

func TestRetryAfterHeader(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"120": 2 * time.Minute, " 7 ": 7 * time.Second, "0": 0,
		"Fri, 31 Dec 1999 23:59:59 GMT": 59 * time.Second, "Fri, 31 Dec 1999 23:00:00 GMT": 0,
		"": -1, "-5": -1, "1.5": -1, "soon": -1, "99999999999999999999": -1, "٣": -1,
	} {
		h := http.Header{"Retry-After": {text}, "Date": {"Fri, 31 Dec 1999 23:59:00 GMT"}}
		got, ok := RetryAfter(h)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %v %v, want %v", text, got, ok, want)
		}
	}
}
