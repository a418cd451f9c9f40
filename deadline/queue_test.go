//go:build go1.25

package deadline

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"
)

func TestTake(t *testing.T) {
	for name, c := range map[string]struct {
		limit, cancel time.Duration
		policy        Policy
		left          time.Duration // for the work; 0 is none
		err           error
		label         string
	}{
		"in time":         {10 * time.Second, 0, Policy{Reserve: time.Second}, 4 * time.Second, nil, ""},
		"a cap":           {10 * time.Second, 0, Policy{Cap: time.Second}, time.Second, nil, ""},
		"expired":         {4 * time.Second, 0, Policy{}, 0, QueueExpired, "expired"},
		"exactly now":     {5 * time.Second, 0, Policy{}, 0, QueueExpired, "expired"},
		"too little":      {6 * time.Second, 0, Policy{Min: 2 * time.Second}, 0, QueueExpired, "minimum"},
		"the reserve":     {6 * time.Second, 0, Policy{Reserve: time.Second}, 0, QueueExpired, "minimum"},
		"the caller left": {10 * time.Second, time.Second, Policy{}, 0, context.Canceled, "gone"},
		"a mistake":       {10 * time.Second, 0, Policy{Min: -1}, 0, BadPolicy, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			told := observe(t)
			ctx, cancel := context.WithTimeout(t.Context(), c.limit)
			defer cancel()
			if c.cancel > 0 {
				time.AfterFunc(c.cancel, cancel)
			}
			it := Stamp(ctx, "order 7")
			time.Sleep(5 * time.Second)
			work, stop, err := it.Take(c.policy)
			defer stop()
			left, _ := Remaining(work)
			if !errors.Is(err, c.err) || err == nil && left != c.left || err != nil && work.Err() == nil {
				t.Errorf("%s: %v left, %v; want %v, %v", name, left, err, c.left, c.err)
			}
			if waits := told.of(TimeQueueWait); len(waits) != 1 || waits[0].Time != 5*time.Second {
				t.Errorf("%s: waited %v, want 5s", name, waits)
			}
			dropped := told.of(CountQueueDropped)
			if (c.label != "") != (len(dropped) == 1) || c.label != "" && dropped[0].Label != c.label {
				t.Errorf("%s: dropped %v, want %q", name, dropped, c.label)
			}
		})
	}
	work, stop, err := Item[int]{}.Take(Policy{Cap: time.Second})
	defer stop()
	if _, ok := work.Deadline(); !ok || err != nil {
		t.Errorf("an item that nobody stamped: %v", err)
	}
}

func TestReceiveSkipsTheDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := observe(t)
		ch := make(chan Item[int], 8)
		for i, limit := range []time.Duration{1, 2, 10, 3, 20} {
			ctx, cancel := context.WithTimeout(t.Context(), limit*time.Second)
			defer cancel()
			ch <- Stamp(ctx, i)
		}
		close(ch)
		time.Sleep(5 * time.Second)
		worker, shutdown := context.WithCancel(t.Context())
		p := Policy{Min: time.Second, Name: "orders"}
		for _, want := range []int{2, 4} {
			work, stop, v, err := Receive(worker, ch, p)
			if err != nil || v != want || work.Err() != nil {
				t.Errorf("%d %v, want %d", v, err, want)
			}
			stop()
		}
		if n := told.of(CountQueueDropped); len(n) != 3 || n[0].Name != "orders" {
			t.Errorf("dropped %v, want three", n)
		}
		if _, stop, _, err := Receive(worker, ch, p); err != ErrClosed {
			t.Errorf("%v, want ErrClosed", err)
		} else {
			stop()
		}
		open := make(chan Item[int], 1)
		time.AfterFunc(time.Second, shutdown)
		if _, _, _, err := Receive(worker, open, p); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want the end of the worker", err)
		}
		open <- Stamp(t.Context(), 1)
		for range 20 {
			if _, _, _, err := Receive(worker, open, p); err == nil {
				t.Fatal("a worker that has ended takes work")
			}
		}
		// A mistake in the program is said, and what it is said of is not lost.
		if work, _, v, err := Receive(t.Context(), open, Policy{Cap: -1}); !errors.Is(err, BadPolicy) || v != 1 || work.Err() == nil {
			t.Errorf("%v of %v, want BadPolicy", err, v)
		}
		open <- Stamp(t.Context(), 2)
		if work, _, v, err := Receive(t.Context(), open, Policy{Require: true}); !errors.Is(err, NoDeadline) || v != 2 || work.Err() == nil {
			t.Errorf("%v of %v, want NoDeadline", err, v)
		}
	})
}

func TestEnvelope(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if e := Seal(t.Context()); e != (Envelope{}) {
			t.Errorf("no deadline: %+v", e)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second+999*time.Microsecond)
		defer cancel()
		text, err := json.Marshal(Seal(ctx))
		var e Envelope
		if err2 := json.Unmarshal(text, &e); err != nil || err2 != nil || e.RemainingMs != 10_000 {
			t.Errorf("%s %v %v, want 10000 ms, rounded down", text, err, err2)
		}
		time.Sleep(4 * time.Second)
		for name, c := range map[string]struct {
			e       Envelope
			c       Consumer
			do      Action
			left    time.Duration
			err     error
			bounded bool
		}{
			"the time on the way counts": {e, Consumer{}, Process, 6 * time.Second, nil, true},
			"the smallest bound":         {e, Consumer{Policy: Policy{Cap: time.Second}}, Process, time.Second, nil, true},
			"the reserve":                {e, Consumer{Policy: Policy{Reserve: time.Second}}, Process, 5 * time.Second, nil, true},
			"no deadline":                {Envelope{}, Consumer{}, Process, 0, nil, false},
			"no deadline, but a cap":     {Envelope{}, Consumer{Policy: Policy{Cap: time.Second}}, Process, time.Second, nil, true},
			"no deadline, but required":  {Envelope{}, Consumer{Policy: Policy{Require: true}}, Park, 0, NoDeadline, false},
			"too little, park":           {e, Consumer{Policy: Policy{Min: 7 * time.Second}}, Park, 0, QueueExpired, false},
			"too little, drop":           {e, Consumer{Policy: Policy{Min: 7 * time.Second}, Overdue: Drop}, Drop, 0, QueueExpired, false},
			"too little, process": {e, Consumer{Policy: Policy{Min: 7 * time.Second, Cap: 8 * time.Second}, Overdue: Process},
				Process, 8 * time.Second, nil, true},
			"process without a bound": {e, Consumer{Overdue: Process}, Park, 0, BadPolicy, false},
			"a mistake is parked":     {e, Consumer{Policy: Policy{Min: -1}, Overdue: Drop}, Park, 0, BadPolicy, false},
			"nothing left when sent":  {Envelope{SentUnixMs: e.SentUnixMs}, Consumer{}, Park, 0, QueueExpired, false},
			"no absolute deadline":    {Envelope{RemainingMs: e.RemainingMs, SentUnixMs: e.SentUnixMs}, Consumer{}, Process, 6 * time.Second, nil, true},
			"only what was left":      {Envelope{RemainingMs: 3000}, Consumer{}, Process, 3 * time.Second, nil, true},
			"less than nothing":       {Envelope{RemainingMs: math.MinInt64}, Consumer{}, Park, 0, QueueExpired, false},
		} {
			work, stop, do, err := c.c.Open(t.Context(), c.e)
			left, bounded := Remaining(work)
			if do != c.do || !errors.Is(err, c.err) || err == nil && (left != c.left || bounded != c.bounded) || err != nil && work.Err() == nil {
				t.Errorf("%s: %v, %v left, %v; want %v, %v, %v", name, do, left, err, c.do, c.left, c.err)
			}
			stop()
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, do, err := Consumer{Overdue: Drop, Policy: Policy{Min: time.Hour}}.Open(ended, e)
		if do != Park || !errors.Is(err, context.Canceled) {
			t.Errorf("a consumer that shuts down: %v %v, want it parked", do, err)
		}
	})
	if Action(9).String() != "unknown" || Park.String() != "park" {
		t.Error("the names of the actions")
	}
}
