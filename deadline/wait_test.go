//go:build go1.25

package deadline

import (
	"context"
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

func TestSleep(t *testing.T) {
	for name, c := range map[string]struct {
		limit, cancel time.Duration // of the context; 0 is none
		d, need       time.Duration
		took          time.Duration
		want          error
	}{
		"fits":             {time.Minute, 0, time.Second, time.Second, time.Second, nil},
		"fits exactly":     {2 * time.Second, 0, time.Second, time.Second, time.Second, nil},
		"does not fit":     {2 * time.Second, 0, time.Second, time.Second + 1, 0, BelowMinimum},
		"no deadline":      {0, 0, time.Hour, time.Hour, time.Hour, nil},
		"the caller left":  {time.Minute, time.Second, 30 * time.Second, 0, time.Second, context.Canceled},
		"nothing to sleep": {time.Minute, 0, -5, -5, 0, nil},
		"need alone":       {time.Minute, 0, 0, 2 * time.Minute, 0, BelowMinimum},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.limit > 0 {
				var stop context.CancelFunc
				ctx, stop = context.WithTimeout(ctx, c.limit)
				defer stop()
			}
			if c.cancel > 0 {
				time.AfterFunc(c.cancel, cancel)
			}
			err := Sleep(ctx, c.d, c.need)
			if took := time.Since(began); took != c.took || !errors.Is(err, c.want) {
				t.Errorf("%s: %v after %v, want %v after %v", name, err, took, c.want, c.took)
			}
		})
	}
}

func TestBind(t *testing.T) {
	// Each exchange has a connection of its own: one that ctx has ended is not to be used again.
	exchange := func(t *testing.T) (here, there net.Conn, read func() error) {
		here, there = net.Pipe()
		t.Cleanup(func() { here.Close(); there.Close() })
		return here, there, func() error { _, err := here.Read(make([]byte, 1)); return err }
	}
	t.Run("deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			here, _, read := exchange(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			stop, err := Bind(ctx, here)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if err := read(); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) != time.Second {
				t.Errorf("%v after %v, want the deadline after 1s", err, time.Since(began))
			}
			if stop() {
				t.Error("stop says that the exchange was over in time")
			}
		})
	})
	t.Run("cancel", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			here, _, read := exchange(t)
			ctx, cancel := context.WithCancel(t.Context())
			stop, _ := Bind(ctx, here)
			time.AfterFunc(time.Second, cancel)
			if err := read(); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("%v, want the read to be woken", err)
			}
			if stop() {
				t.Error("stop says that nobody cancelled")
			}
		})
	})
	t.Run("in time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			here, there, read := exchange(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			stop, _ := Bind(ctx, here)
			if !stop() || stop() {
				t.Error("the first stop is in time, the second does nothing")
			}
			go func() { time.Sleep(time.Minute); there.Write([]byte{1}) }()
			if err := read(); err != nil {
				t.Errorf("the deadline stayed: %v", err)
			}
		})
	})
}

func TestBindFails(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	here.Close()
	if stop, err := Bind(ctx, here); err == nil || stop() {
		t.Errorf("a closed connection: %v", err)
	}
	cancel()
	if stop, err := Bind(ctx, there); !errors.Is(err, context.Canceled) || stop() {
		t.Errorf("a cancelled context: %v", err)
	}
}
