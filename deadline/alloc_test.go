package deadline

import (
	"context"
	"testing"
	"time"
)

// quiet is an observer that costs nothing, so that what telling costs shows.
type quiet struct{ n int }

func (q *quiet) Observe(context.Context, Event) { q.n++ }

// The paths that run most under overload allocate nothing, told or not; deriving allocates what the standard library does.
func TestAllocations(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("coverage counts allocate")
	}
	background := context.Background()
	live, cancel := context.WithTimeout(background, time.Hour)
	defer cancel()
	own, cancel, _ := Policy{Cap: time.Nanosecond}.Start(live)
	defer cancel()
	expired, cancel := context.WithTimeout(background, time.Nanosecond)
	defer cancel()
	gone, cancel := context.WithCancel(live)
	cancel()
	<-own.Done()
	<-expired.Done()

	full := &Gate{Size: 1, Need: time.Minute}
	full.Acquire(background, 1)
	full.freed, full.perUnit = time.Now(), time.Hour
	item := func(ctx context.Context) Item[int] { return Stamp(ctx, 1) }
	dead, short, left := item(expired), item(live), item(gone)
	queue := make(chan Item[int], 1)

	for name, f := range map[string]func(){
		"Remaining":                         func() { Remaining(live) },
		"Enough":                            func() { Enough(live, time.Second) },
		"Enough, not":                       func() { Enough(live, 2*time.Hour) },
		"Check":                             func() { Check(live, time.Second) },
		"Check, too little":                 func() { Check(live, 2*time.Hour) },
		"Check, expired":                    func() { Check(expired, 0) },
		"Check, expired by a policy":        func() { Check(own, 0) },
		"Check, cancelled":                  func() { Check(gone, 0) },
		"Sleep, expired":                    func() { Sleep(expired, time.Second, 0) },
		"Take, expired":                     func() { dead.Take(Policy{}) },
		"Take, too little":                  func() { short.Take(Policy{Min: 2 * time.Hour}) },
		"Take, cancelled":                   func() { left.Take(Policy{}) },
		"Receive, all dead":                 func() { queue <- dead; Receive(gone, queue, Policy{}); <-queue },
		"Gate, too little":                  func() { full.Acquire(expired, 1) },
		"Gate, the wait does not fit":       func() { full.Acquire(live, 1) },
		"Tokens":                            func() { (&zeroTokens).Request(); (&zeroTokens).Retry() },
		"Do, cancelled":                     func() { Policy{}.Do(gone, nil) },
		"Start, cancelled":                  func() { Policy{}.Start(gone) },
		"Stamp":                             func() { Stamp(live, 1) },
		"an error's questions but not text": func() { errExpired.Is(Expired); errExpired.Timeout() },
	} {
		for _, o := range []Observer{nil, &quiet{}} {
			SetObserver(o)
			if n := testing.AllocsPerRun(200, f); n != 0 {
				t.Errorf("%s, observer %v: %v allocations, want 0", name, o != nil, n)
			}
		}
		SetObserver(nil)
	}
}

var zeroTokens Tokens

func TestAllocationsOfStart(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("coverage counts allocate")
	}
	live, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	timeout := func(ctx context.Context, d time.Duration) float64 {
		return testing.AllocsPerRun(200, func() { _, stop := context.WithTimeout(ctx, d); stop() })
	}
	start := func(ctx context.Context, p Policy) float64 {
		return testing.AllocsPerRun(200, func() { _, stop, _ := p.Start(ctx); stop() })
	}
	for name, c := range map[string]struct {
		ours, theirs float64
	}{
		"the cap is earlier":     {start(live, Policy{Cap: time.Second, Min: 1}), timeout(live, time.Second)},
		"the parent is earlier":  {start(live, Policy{Cap: 2 * time.Hour}), timeout(live, 2*time.Hour)},
		"a reserve":              {start(live, Policy{Reserve: time.Second}), timeout(live, time.Second)},
		"no deadline above":      {start(context.Background(), Policy{Cap: time.Second}), timeout(context.Background(), time.Second)},
		"refused, with its text": {start(live, Policy{Min: 2 * time.Hour}), 1}, // the error, which says how much was left
	} {
		if c.ours > c.theirs {
			t.Errorf("%s: %v allocations, the standard library has %v", name, c.ours, c.theirs)
		}
	}
	if n := testing.AllocsPerRun(200, func() { Retry{}.Do(live, succeed) }); n > timeout(live, 2*time.Hour)+2 {
		t.Errorf("a retry whose first attempt succeeds: %v allocations", n)
	}
}

func succeed(context.Context) error { return nil }
