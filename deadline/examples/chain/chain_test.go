package main

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline/examples/chain/internal/plan"
)

// TestRun makes short runs of all variants at a load that they can bear: they answer, all browsers are accounted for, the table
// says so, and nothing is left running. It asserts no times; the figures of the README are of a run of their own.
func TestRun(t *testing.T) {
	before := runtime.NumGoroutine()
	o := options{lasts: time.Second, load: 0.2, seed: 2}
	var outcomes []outcome
	for _, v := range variants {
		out := answered(t, v, o)
		if len(out.stations) != 4 {
			t.Fatalf("%s: the stations are %v", v.name, out.stations)
		}
		for _, s := range out.stations {
			if s.Busy == 0 || s.Wasted > s.Busy {
				t.Errorf("%s: %+v", v.name, s)
			}
		}
		if out.useful <= 0 || out.useful+out.wasted() > out.busy() {
			t.Errorf("%s: %v of %v are useful, and %v wasted", v.name, out.useful, out.busy(), out.wasted())
		}
		outcomes = append(outcomes, out)
	}
	var b strings.Builder
	if err := print(&b, o, outcomes); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"before  ctx only     after", "\ngoodput", "\nwasted work after the deadline", "SQLite"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	ended(t, before)
}

// answered is a run in which a browser was answered. Browsers wait for half a second, and a machine that is too busy for that is no
// reason to fail: then the test is skipped, and says so.
func answered(t *testing.T, v variant, o options) outcome {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	late := lag(ctx)
	for range 3 {
		out, err := v.run(t.Context(), o)
		if err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		r := out.result
		if r.Sent == 0 || r.Sent != len(r.InTime)+len(r.Errors)+r.Left {
			t.Fatalf("%s: %d sent, %d answered, %d refused, %d left", v.name, r.Sent, len(r.InTime), len(r.Errors), r.Left)
		}
		if len(r.InTime) > 0 {
			return out
		}
	}
	stop()
	if worst := <-late; worst > plan.Look {
		t.Skipf("SKIPPED: the machine is too busy: a pause of 10ms took %v more", worst)
	}
	t.Fatalf("%s: no browser was answered", v.name)
	return outcome{}
}

// lag measures, until ctx ends, how late the machine wakes those who sleep, and then sends the worst.
func lag(ctx context.Context) <-chan time.Duration {
	worst := make(chan time.Duration, 1)
	go func() {
		var most time.Duration
		for ctx.Err() == nil {
			began := time.Now()
			time.Sleep(10 * time.Millisecond)
			most = max(most, time.Since(began)-10*time.Millisecond)
		}
		worst <- most
	}()
	return worst
}

// TestOverload makes a short run of more than twice what the chain can bear, so that queues are long when it ends: that must not
// keep it from ending, although nobody waits for what is in them.
func TestOverload(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, v := range variants {
		out, err := v.run(t.Context(), options{lasts: time.Second, load: 2.5, seed: 3})
		if err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		if r := out.result; r.Sent < int(plan.Capacity) || r.Sent == len(r.InTime) {
			t.Errorf("%s: %d sent, %d answered", v.name, r.Sent, len(r.InTime))
		}
	}
	ended(t, before)
}

// TestInterrupted wants a run to end when it is told to, and to say why.
func TestInterrupted(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Second, cancel)
	if _, err := variants[0].run(ctx, options{lasts: time.Hour, load: 1}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	ended(t, before)
}

// ended waits until there are no more goroutines than there were.
func ended(t *testing.T, before int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, and there were %d:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

func TestParse(t *testing.T) {
	for args, want := range map[string]string{
		"":                    "",
		"-for 20s -load 2":    "",
		"-for 0s":             "-for is not above 0",
		"-load 0":             "-load is not",
		"-load NaN":           "-load is not",
		"-load 11":            "-load is not",
		"before":              `unexpected argument "before"`,
		"-for ten":            "invalid value",
		"-db postgres://x -h": "help requested",
	} {
		_, err := parse(strings.Fields(args), io.Discard)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}
