//go:build go1.25

package deadline

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestGateRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := observe(t)
		g := &Gate{Size: 2, Need: time.Second, Name: "cpu"}
		within := func(d time.Duration) (context.Context, context.CancelFunc) {
			return context.WithTimeout(t.Context(), d)
		}
		short, cancel := within(time.Second - 1)
		defer cancel()
		if err := g.Acquire(short, 1); !errors.Is(err, BelowMinimum) {
			t.Errorf("%v, want BelowMinimum although a place is free", err)
		}
		for _, n := range []int64{0, -1, 3} {
			if err := g.Acquire(t.Context(), n); !errors.Is(err, BadPolicy) {
				t.Errorf("a weight of %d: %v, want BadPolicy", n, err)
			}
		}
		if err := (&Gate{Size: 1, Need: -1}).Acquire(t.Context(), 1); !errors.Is(err, BadPolicy) {
			t.Errorf("a negative need: %v, want BadPolicy", err)
		}
		if err := g.Acquire(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		// The queue: who cannot be served in time leaves when only Need is left, not when nothing is.
		began := time.Now()
		ctx, cancel := within(5 * time.Second)
		defer cancel()
		if err := g.Acquire(ctx, 1); !errors.Is(err, QueueExpired) || time.Since(began) != 4*time.Second {
			t.Errorf("%v after %v, want QueueExpired after 4s", err, time.Since(began))
		}
		if n := told.of(CountQueueDropped); len(n) != 1 || n[0].Name != "cpu" || n[0].Time != time.Second {
			t.Errorf("told %v", n)
		}
		ctx, cancel = within(time.Hour)
		time.AfterFunc(time.Second, cancel)
		if err := g.Acquire(ctx, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want the caller's cancellation", err)
		}
		if err := g.Acquire(ctx, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want the caller's cancellation", err)
		}
		time.AfterFunc(3*time.Second, func() { g.Release(2) })
		if err := g.Acquire(t.Context(), 2); err != nil {
			t.Errorf("%v: nobody who gave up may hold a place", err)
		}
	})
}

// hold occupies the gate with work of d, one after the other, by that many goroutines.
func hold(t *testing.T, g *Gate, workers int, d time.Duration, rounds int) *sync.WaitGroup {
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range rounds {
				if err := g.Acquire(t.Context(), 1); err != nil {
					t.Error(err)
				}
				time.Sleep(d)
				g.Release(1)
			}
		})
	}
	return &wg
}

// Once it is known how fast places come free, who cannot be served in time hears so at once.
func TestGateKnowsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &Gate{Size: 1}
		wg := hold(t, g, 10, time.Second, 3) // nine wait at any time, a place a second
		time.Sleep(5500 * time.Millisecond)
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
		defer cancel()
		if err := g.Acquire(ctx, 1); !errors.Is(err, BelowMinimum) || time.Since(began) != 0 {
			t.Errorf("%v after %v, want to be refused at once: nine are before", err, time.Since(began))
		}
		ctx, cancel = context.WithTimeout(t.Context(), 11*time.Second)
		defer cancel()
		if err := g.Acquire(ctx, 1); err != nil || time.Since(began) != 9500*time.Millisecond {
			t.Errorf("%v after %v, want a place after nine and a half", err, time.Since(began))
		} else {
			g.Release(1)
		}
		wg.Wait()
		// What was slow long ago refuses nobody for ever.
		g.perUnit = time.Minute
		time.Sleep(time.Hour)
		g.Acquire(t.Context(), 1)
		time.AfterFunc(time.Second, func() { g.Release(1) })
		ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := g.Acquire(ctx, 1); err != nil {
			t.Errorf("%v, want to wait for the one second", err)
		}
	})
}

func TestGateOrder(t *testing.T) {
	for lifo, want := range map[int]string{0: "[0 1 2 3 4]", 3: "[4 3 0 1 2]"} {
		synctest.Test(t, func(t *testing.T) {
			g := &Gate{Size: 1, LIFO: lifo}
			g.Acquire(t.Context(), 1)
			var order []int
			var wg sync.WaitGroup
			for i := range 5 {
				wg.Go(func() {
					time.Sleep(time.Duration(i) * time.Second)
					g.Acquire(t.Context(), 1)
					order = append(order, i)
					time.Sleep(time.Second)
					g.Release(1)
				})
			}
			time.Sleep(10 * time.Second)
			g.Release(1)
			wg.Wait()
			if got := fmt.Sprint(order); got != want {
				t.Errorf("LIFO %d: served %v, want %v", lifo, got, want)
			}
		})
	}
}

// A large one is not starved by small ones, and when it gives up, the small ones behind it go on.
func TestGateWeights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &Gate{Size: 4}
		g.Acquire(t.Context(), 3)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		go func() {
			if err := g.Acquire(ctx, 4); !errors.Is(err, QueueExpired) {
				t.Errorf("%v, want QueueExpired", err)
			}
		}()
		synctest.Wait()
		began := time.Now()
		if err := g.Acquire(t.Context(), 1); err != nil || time.Since(began) != 5*time.Second {
			t.Errorf("%v after %v, want the place when the large one gives up", err, time.Since(began))
		}
		defer func() {
			if recover() == nil {
				t.Error("giving back more than was acquired goes unnoticed")
			}
		}()
		g.Release(5)
	})
}

// Under load, from many sides, with callers that leave: no more than Size at a time, and no place is lost.
func TestGateUnderLoad(t *testing.T) {
	g := &Gate{Size: 5, LIFO: 10}
	var wg sync.WaitGroup
	var mu sync.Mutex
	running, most := int64(0), int64(0)
	for i := range 200 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%20)*time.Millisecond)
			defer cancel()
			n := int64(i%3 + 1)
			for range 20 {
				if g.Acquire(ctx, n) != nil {
					continue
				}
				mu.Lock()
				running += n
				most = max(most, running)
				mu.Unlock()
				time.Sleep(time.Duration(i%7) * 20 * time.Microsecond)
				mu.Lock()
				running -= n
				mu.Unlock()
				g.Release(n)
			}
		})
	}
	wg.Wait()
	if most > g.Size {
		t.Errorf("%d at a time, want no more than %d", most, g.Size)
	}
	if err := g.Acquire(t.Context(), g.Size); err != nil || g.waiting != 0 || len(g.queue) != 0 {
		t.Errorf("afterwards: %v, %d waiting, %d in the queue", err, g.waiting, len(g.queue))
	}
}
