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

func TestWithinHoldShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
		defer cancel()
		type start = func(context.Context) (context.Context, context.CancelFunc, error)
		for name, c := range map[string]struct {
			start start
			want  time.Duration // 0: refused
		}{
			"within less": {func(ctx context.Context) (context.Context, context.CancelFunc, error) {
				return Within(ctx, time.Second)
			}, time.Second},
			"within more": {func(ctx context.Context) (context.Context, context.CancelFunc, error) {
				return Within(ctx, time.Minute)
			}, 12 * time.Second},
			"hold": {func(ctx context.Context) (context.Context, context.CancelFunc, error) {
				return Hold(ctx, 2*time.Second)
			}, 10 * time.Second},
			"hold all": {func(ctx context.Context) (context.Context, context.CancelFunc, error) {
				return Hold(ctx, 12*time.Second)
			}, 0},
			"hold less than 0": {func(ctx context.Context) (context.Context, context.CancelFunc, error) { return Hold(ctx, -1) }, 0},
			"a third":          {func(ctx context.Context) (context.Context, context.CancelFunc, error) { return Share(ctx, 1, 3) }, 4 * time.Second},
			"all":              {func(ctx context.Context) (context.Context, context.CancelFunc, error) { return Share(ctx, 3, 3) }, 12 * time.Second},
			"none":             {func(ctx context.Context) (context.Context, context.CancelFunc, error) { return Share(ctx, 0, 3) }, 0},
			"more than all":    {func(ctx context.Context) (context.Context, context.CancelFunc, error) { return Share(ctx, 4, 3) }, 0},
			"of less than 0":   {func(ctx context.Context) (context.Context, context.CancelFunc, error) { return Share(ctx, -2, -1) }, 0},
			"huge parts": {func(ctx context.Context) (context.Context, context.CancelFunc, error) {
				return Share(ctx, math.MaxInt/2, math.MaxInt)
			}, 6*time.Second - 1},
		} {
			child, stop, err := c.start(ctx)
			left, _ := Remaining(child)
			if c.want == 0 && (err == nil || child.Err() == nil) || c.want > 0 && (err != nil || left != c.want) {
				t.Errorf("%s: %v left, %v; want %v", name, left, err, c.want)
			}
			stop()
		}
		told := observe(t)
		for name, start := range map[string]start{
			"hold":  func(ctx context.Context) (context.Context, context.CancelFunc, error) { return Hold(ctx, time.Second) },
			"share": func(ctx context.Context) (context.Context, context.CancelFunc, error) { return Share(ctx, 1, 2) },
		} {
			told.events = nil
			_, stop, err := start(t.Context())
			if err != nil || len(told.of(CountUnboundedCall)) != 1 {
				t.Errorf("%s without a deadline: %v, counted %v", name, err, told.events)
			}
			stop()
		}
	})
}

type key struct{}

func TestDetach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "trace"), time.Second)
		cancel()
		child, stop := Detach(ctx, time.Minute)
		defer stop()
		if left, _ := Remaining(child); child.Err() != nil || left != time.Minute || child.Value(key{}) != "trace" {
			t.Errorf("%v left, %v, value %v", left, child.Err(), child.Value(key{}))
		}
		<-child.Done()
		if child.Err() != context.DeadlineExceeded || !errors.Is(context.Cause(child), Expired) {
			t.Errorf("%v, cause %v", child.Err(), context.Cause(child))
		}
		for _, d := range []time.Duration{0, -1, math.MinInt64} {
			child, stop := Detach(t.Context(), d)
			stop()
			if child.Err() != context.DeadlineExceeded {
				t.Errorf("a detached context of %v: %v, want it ended", d, child.Err())
			}
		}
	})
}

func TestGrace(t *testing.T) {
	for name, c := range map[string]struct {
		limit  time.Duration // of the parent; 0 is none
		cancel time.Duration // when the parent is cancelled; 0 is not before its limit
		wait   time.Duration // before Grace is called
		want   time.Duration // when the grace of 2s ends
		err    error
	}{
		"a deadline":                       {5 * time.Second, 0, 0, 7 * time.Second, context.DeadlineExceeded},
		"cancelled before its deadline":    {5 * time.Second, time.Second, 0, 3 * time.Second, context.Canceled},
		"cancelled, no deadline":           {0, time.Second, 0, 3 * time.Second, context.Canceled},
		"the deadline has passed":          {5 * time.Second, 0, 6 * time.Second, 7 * time.Second, context.DeadlineExceeded},
		"the grace has passed too":         {5 * time.Second, 0, 9 * time.Second, 9 * time.Second, context.DeadlineExceeded},
		"cancelled before, moment unknown": {0, time.Second, 4 * time.Second, 6 * time.Second, context.Canceled},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "trace"))
			defer cancel()
			if c.limit > 0 {
				var stop context.CancelFunc
				ctx, stop = context.WithTimeout(ctx, c.limit)
				defer stop()
			}
			if c.cancel > 0 {
				time.AfterFunc(c.cancel, cancel)
			}
			time.Sleep(c.wait)
			child, stop := Grace(ctx, 2*time.Second)
			defer stop()
			<-child.Done()
			if took := time.Since(began); took != c.want || child.Err() != c.err || child.Value(key{}) != "trace" {
				t.Errorf("%s: %v after %v, want %v after %v", name, child.Err(), took, c.err, c.want)
			}
			if !errors.Is(context.Cause(child), Expired) {
				t.Errorf("%s: the cause is %v", name, context.Cause(child))
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		child, stop := Grace(ctx, time.Hour)
		cancel()
		synctest.Wait() // the hour has begun
		stop()          // and nothing of it stays behind: the bubble would say so
		if child.Err() != context.Canceled {
			t.Errorf("stopped: %v", child.Err())
		}
		ctx, cancel = context.WithCancel(context.Background())
		child, stop = Grace(ctx, -time.Hour)
		defer stop()
		cancel()
		if child.Err() != context.Canceled {
			t.Errorf("no grace: %v", child.Err())
		}
	})
}
