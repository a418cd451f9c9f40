//go:build go1.25

package deadline

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The edge cases of the contract that are about timers and clocks.

func TestNoSecondTimer(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	for name, p := range map[string]Policy{
		"no cap":     {},
		"longer cap": {Cap: 2 * time.Hour},
	} {
		ours := testing.AllocsPerRun(100, func() { _, stop, _ := p.Start(ctx); stop() })
		theirs := testing.AllocsPerRun(100, func() { _, stop := context.WithCancel(ctx); stop() })
		if ours > theirs {
			t.Errorf("%s: %v allocations, context.WithCancel has %v", name, ours, theirs)
		}
	}
	cause := errors.New("the parent's own cause")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, cause)
		defer cancel()
		child, stop, _ := Policy{Cap: 2 * time.Second}.Start(ctx)
		defer stop()
		<-child.Done()
		if context.Cause(child) != cause {
			t.Errorf("the cause is %v, want the parent's, which is the earlier", context.Cause(child))
		}
	})
}

func TestCauseIsOursWhereWeAreTheEarliest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, p := range map[string]Policy{"cap": {Cap: time.Millisecond}, "reserve": {Reserve: time.Millisecond}} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			child, stop, _ := p.Start(ctx)
			defer stop()
			<-child.Done()
			if child.Err() != context.DeadlineExceeded || !errors.Is(context.Cause(child), Expired) {
				t.Errorf("%s: %v, cause %v", name, child.Err(), context.Cause(child))
			}
		}
	})
}

func TestMonotonicClock(t *testing.T) {
	wall, cancel := context.WithDeadline(context.Background(), time.Now().Round(0).Add(time.Hour))
	defer cancel()
	for name, ctx := range map[string]context.Context{"no deadline": context.Background(), "a wall clock's": wall} {
		child, stop, err := Policy{Cap: time.Minute}.Start(ctx)
		defer stop()
		end, _ := child.Deadline()
		if err != nil || !strings.Contains(end.String(), "m=") {
			t.Errorf("%s: the deadline %v has no monotonic reading (%v)", name, end, err)
		}
	}
	// What comes in wall time shortens, and does not lengthen.
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		now := time.Now().UnixMilli()
		for ahead, want := range map[int64]time.Duration{500: 500 * time.Millisecond, 5000: time.Second} {
			child, stop, _, err := Consumer{}.Open(ctx, Envelope{DeadlineUnixMs: now + ahead})
			defer stop()
			if left, _ := Remaining(child); err != nil || left != want {
				t.Errorf("a deadline %dms ahead leaves %v (%v), want %v", ahead, left, err, want)
			}
		}
	})
}

func TestWallClockJump(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := observe(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		now := time.Now().UnixMilli()
		for name, e := range map[string]Envelope{
			"sent in our future":              {RemainingMs: 2000, SentUnixMs: now + 3_600_000, DeadlineUnixMs: now + 3_602_000},
			"the stamps contradict":           {RemainingMs: 2000, SentUnixMs: now, DeadlineUnixMs: now + 3_602_000},
			"contradict, and would shorten":   {RemainingMs: 2000, SentUnixMs: now, DeadlineUnixMs: now + 1},
			"a time before there were clocks": {RemainingMs: 2000, SentUnixMs: -5},
		} {
			told.events = nil
			child, stop, do, err := Consumer{Skew: 100 * time.Millisecond}.Open(ctx, e)
			defer stop()
			left, _ := Remaining(child)
			if err != nil || do != Process || left != 2*time.Second || len(told.of(CountSkewed)) != 1 {
				t.Errorf("%s: %v %v %v, counted %v; want the relative 2s, and counted", name, do, left, err, told.events)
			}
		}
		child, stop, _, err := Consumer{Skew: 100 * time.Millisecond}.Open(ctx, Envelope{RemainingMs: 2000, SentUnixMs: now + 90})
		defer stop()
		if left, _ := Remaining(child); err != nil || left != 2*time.Second {
			t.Errorf("within the tolerance: %v %v, want 2s and no more", left, err)
		}
	})
}

// A machine that was suspended has a monotonic clock that stood still: what was put into a broker before shows only on the
// wall clock that time has passed.
func TestSuspended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		e := Seal(ctx)
		if e.RemainingMs != 600_000 {
			t.Fatalf("%+v", e)
		}
		e.SentUnixMs -= 300_000 // five minutes that the timers have not seen
		e.DeadlineUnixMs -= 300_000
		child, stop, _, err := Consumer{}.Open(ctx, e)
		defer stop()
		if left, _ := Remaining(child); err != nil || left != 5*time.Minute {
			t.Errorf("%v %v, want 5m", left, err)
		}
		e.SentUnixMs -= 300_000
		e.DeadlineUnixMs -= 300_000
		child, stop, do, err := Consumer{}.Open(ctx, e)
		defer stop()
		if do != Park || !errors.Is(err, QueueExpired) || child.Err() == nil {
			t.Errorf("%v %v, want it parked", do, err)
		}
	})
}

// The clock, the timers and the deadlines of contexts go together: an hour costs nothing, and nothing is a moment off.
func TestClockOfTests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		err := Policy{Reserve: time.Minute}.Do(ctx, func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		if took := time.Since(began); took != 59*time.Minute || !errors.Is(err, Expired) {
			t.Errorf("%v after %v, want 59m", err, took)
		}
		if err := Sleep(ctx, 30*time.Second, 30*time.Second); err != nil {
			t.Errorf("the reserve is still there, and exactly enough: %v", err)
		}
		if left, ok := Remaining(ctx); !ok || left != 30*time.Second {
			t.Errorf("%v left, want 30s", left)
		}
	})
}
