//go:build go1.25

package model

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/doneby/doneby/deadline"
)

// small is a station of four servers that goes through a trigger of twice its capacity, which uses up the tokens.
func small(v Variant) Config {
	return Config{
		Variant: v, Servers: 4, Law: Equal(10 * time.Millisecond),
		Client: 300 * time.Millisecond, Own: 20 * time.Millisecond, Timeout: 200 * time.Millisecond, Attempts: 3,
		Load:   []Step{{0, 320}, {time.Second, 800}, {4 * time.Second, 320}},
		Length: 6 * time.Second, Seed: 11,
	}
}

// TestRealPackage lets the same clients come at the same times to a hop and a station made of package deadline: Retry and Policy
// call, an Item is queued in a channel and taken out by workers, contexts end the work. What the simulator says of each request
// comes true. They are not the same program: here are goroutines, timers, channels and errors.
func TestRealPackage(t *testing.T) {
	for _, name := range []string{"H", "E", "F"} {
		t.Run(name, func(t *testing.T) {
			config := small(Named(name, 10*time.Millisecond))
			var arrived []time.Duration
			foretold := map[time.Duration]bool{}
			r := start(config)
			r.finished = func(req *request, inTime bool) {
				arrived = append(arrived, req.arrived)
				foretold[req.arrived] = inTime
			}
			r.all()
			var got map[time.Duration]bool
			synctest.Test(t, func(t *testing.T) { got = live(t.Context(), config, arrived) })
			wrong, inTime := 0, 0
			for at, want := range foretold {
				if got[at] != want {
					wrong++
				}
				if want {
					inTime++
				}
			}
			if wrong > 0 {
				t.Errorf("%d of %d requests end otherwise than foretold", wrong, len(arrived))
			}
			if c := small(Named("E", 10*time.Millisecond)); name == "F" && r.result.Calls >= Run(c).Calls {
				t.Errorf("%d calls, no less than without tokens: the case shows nothing", r.result.Calls)
			}
			if len(arrived) < 2000 || inTime < len(arrived)/5 || inTime > len(arrived)*9/10 {
				t.Errorf("%d of %d in time: the case shows nothing", inTime, len(arrived))
			}
		})
	}
}

// live is the hop, the station and the clients that arrive then, as a program. It says who had an answer in time.
func live(ctx context.Context, c Config, arrived []time.Duration) map[time.Duration]bool {
	type job struct{ answer chan error }
	station := make(chan deadline.Item[job], len(arrived)*c.Attempts)
	defer close(station)
	for range c.Servers {
		go func() {
			for it := range station {
				work, done, err := it.Take(deadline.Policy{Min: c.Min})
				if err == nil {
					err = deadline.Sleep(work, 10*time.Millisecond, 0)
					if err != nil { // begun in any case: H has no minimum that would refuse
						<-work.Done()
					}
					done()
				}
				it.Value.answer <- err
			}
		}()
	}
	retry := c.retry()
	retry.Backoff = deadline.Constant(0)
	if c.Tokens {
		retry.Budget = &deadline.Tokens{}
	}
	call := func(ctx context.Context) error {
		j := job{make(chan error, 1)}
		station <- deadline.Stamp(ctx, j)
		select {
		case err := <-j.answer:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	type outcome struct {
		at     time.Duration
		inTime bool
	}
	outcomes := make(chan outcome, len(arrived))
	for _, at := range arrived {
		go func() {
			time.Sleep(at)
			ctx, cancel := context.WithTimeout(ctx, c.Client)
			defer cancel()
			time.Sleep(c.Own)
			err := retry.Do(ctx, call)
			outcomes <- outcome{at, err == nil && ctx.Err() == nil}
		}()
	}
	got := map[time.Duration]bool{}
	for range arrived {
		o := <-outcomes
		got[o.at] = o.inTime
	}
	return got
}
