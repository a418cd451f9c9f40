//go:build go1.25

package deadline

import (
	"context"
	"testing"
	"time"
)

// Benchmarks come in pairs, ours and what the standard library does for the same, so that the ratio is of one run.

func benchContext(b *testing.B, depth int) context.Context {
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	b.Cleanup(cancel)
	for range depth - 1 {
		ctx = context.WithValue(ctx, accountKey{}, nil)
	}
	return ctx
}

func BenchmarkRemaining(b *testing.B) {
	for name, depth := range map[string]int{"depth1": 1, "depth8": 8} {
		ctx := benchContext(b, depth)
		b.Run(name+"/deadline", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Remaining(ctx)
			}
		})
		b.Run(name+"/stdlib", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if end, ok := ctx.Deadline(); ok {
					time.Until(end)
				}
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	ctx := benchContext(b, 1)
	b.Run("enough/deadline", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Enough(ctx, time.Second)
		}
	})
	b.Run("check/deadline", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Check(ctx, time.Second)
		}
	})
	b.Run("refused/deadline", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Check(ctx, 2*time.Hour)
		}
	})
	b.Run("enough/stdlib", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if ctx.Err() == nil {
				if end, ok := ctx.Deadline(); ok {
					_ = time.Until(end) >= time.Second
				}
			}
		}
	})
}

func BenchmarkStart(b *testing.B) {
	live := benchContext(b, 1)
	for name, c := range map[string]struct {
		ctx    context.Context
		policy Policy
		theirs time.Duration
	}{
		"capEarlier":    {live, Policy{Cap: time.Second, Reserve: time.Millisecond, Min: time.Millisecond}, time.Second},
		"parentEarlier": {live, Policy{Cap: 2 * time.Hour}, 2 * time.Hour},
		"reserve":       {live, Policy{Reserve: 30 * time.Minute}, 20 * time.Minute},
		"noParent":      {context.Background(), Policy{Cap: time.Second}, time.Second},
	} {
		b.Run(name+"/deadline", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, cancel, _ := c.policy.Start(c.ctx)
				cancel()
			}
		})
		b.Run(name+"/stdlib", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, cancel := context.WithTimeout(c.ctx, c.theirs)
				cancel()
			}
		})
	}
	b.Run("refused/deadline", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, cancel, _ := Policy{Min: 2 * time.Hour}.Start(live)
			cancel()
		}
	})
}

// BenchmarkStartRatio takes turns of a few hundred calls, ours and the standard library's, and reports the ratio of the fastest
// turns: of a machine that others use too, that is what can be compared.
func BenchmarkStartRatio(b *testing.B) {
	live := benchContext(b, 1)
	for name, c := range map[string]struct {
		ctx    context.Context
		policy Policy
		theirs time.Duration
	}{
		"capEarlier":    {live, Policy{Cap: time.Second, Reserve: time.Millisecond, Min: time.Millisecond}, time.Second},
		"parentEarlier": {live, Policy{Cap: 2 * time.Hour}, 2 * time.Hour},
		"reserve":       {live, Policy{Reserve: 30 * time.Minute}, 30 * time.Minute},
		"noParent":      {context.Background(), Policy{Cap: time.Second}, time.Second},
	} {
		b.Run(name, func(b *testing.B) {
			ours, theirs := time.Hour, time.Hour
			for b.Loop() {
				ours = min(ours, turn(func() { _, cancel, _ := c.policy.Start(c.ctx); cancel() }))
				theirs = min(theirs, turn(func() { _, cancel := context.WithTimeout(c.ctx, c.theirs); cancel() }))
			}
			b.ReportMetric(float64(ours)/float64(theirs), "x-stdlib")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// turn is how long 300 calls take.
func turn(f func()) time.Duration {
	began := time.Now()
	for range 300 {
		f()
	}
	return time.Since(began)
}

func BenchmarkDo(b *testing.B) {
	live := benchContext(b, 1)
	b.Run("deadline", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Policy{Cap: time.Second}.Do(live, succeed)
		}
	})
	b.Run("retry/deadline", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Retry{AttemptCap: time.Second}.Do(live, succeed)
		}
	})
	b.Run("stdlib", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			func() {
				ctx, cancel := context.WithTimeout(live, time.Second)
				defer cancel()
				succeed(ctx)
			}()
		}
	})
}

func BenchmarkQueue(b *testing.B) {
	live := benchContext(b, 1)
	gone, cancel := context.WithCancel(live)
	cancel()
	dead := Stamp(gone, 1)
	b.Run("drop/deadline", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			dead.Take(Policy{Min: time.Second})
		}
	})
	b.Run("gate/deadline", func(b *testing.B) {
		g := &Gate{Size: 4, Need: time.Second}
		b.ReportAllocs()
		for b.Loop() {
			if g.Acquire(live, 1) == nil {
				g.Release(1)
			}
		}
	})
	b.Run("gate/stdlib", func(b *testing.B) {
		slots := make(chan struct{}, 4)
		b.ReportAllocs()
		for b.Loop() {
			select {
			case slots <- struct{}{}:
				<-slots
			case <-live.Done():
			}
		}
	})
}
