package model

import (
	"reflect"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/queue"
)

// disciplines are one of each kind.
var disciplines = []queue.Discipline{{}, {Limit: 10}, {LIFO: true}, {Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond}}

// TestSame: the same seed has the same result, another one another, and all variants see the same clients.
func TestSame(t *testing.T) {
	requests := 0
	for _, v := range Variants(10 * time.Millisecond) {
		c := small(v)
		c.Law, c.Backoff = Exponential(10*time.Millisecond), 20*time.Millisecond
		first := Run(c)
		if again := Run(c); !reflect.DeepEqual(first, again) {
			t.Errorf("%s: two runs differ", v.Name)
		}
		if requests == 0 {
			requests = first.Requests
		}
		if first.Requests != requests {
			t.Errorf("%s: %d requests, and others have %d", v.Name, first.Requests, requests)
		}
		c.Seed++
		if other := Run(c); reflect.DeepEqual(first, other) {
			t.Errorf("%s: another seed has the same run", v.Name)
		}
	}
}

// TestNothingLost: each call is refused, dropped, served or still waiting when the run ends, and no server is busy for longer than
// there is time.
func TestNothingLost(t *testing.T) {
	for _, v := range Variants(10 * time.Millisecond) {
		for _, d := range disciplines {
			c := small(v)
			c.Queue, c.Bin = d, time.Second
			r := start(c)
			r.all()
			got := r.result
			if left := got.Calls - got.Refused - got.Dropped - got.Served; left < 0 || left > r.waiting.Len() {
				t.Errorf("%s, %+v: of %d calls %d were refused, %d dropped and %d served, and %d wait", v.Name, d,
					got.Calls, got.Refused, got.Dropped, got.Served, r.waiting.Len())
			}
			if got.InTime > got.Requests || got.Useful+got.Wasted > c.Capacity()+time.Duration(c.Servers)*10*time.Millisecond {
				t.Errorf("%s, %+v: %d of %d in time, %v useful and %v wasted of %v", v.Name, d,
					got.InTime, got.Requests, got.Useful, got.Wasted, c.Capacity())
			}
			answers := 0
			for _, b := range got.Course {
				answers += b.Answers
			}
			if want := time.Duration(answers) * 10 * time.Millisecond; got.Useful != want {
				t.Errorf("%s, %+v: %v useful, and %d answers in time are %v", v.Name, d, got.Useful, answers, want)
			}
		}
	}
}

// TestSameByOtherMeans: where all that is dropped costs nothing, it is the same whether the cancellation gets to the queue at once
// or the deadline is looked at when the call is taken out (C and H).
func TestSameByOtherMeans(t *testing.T) {
	for _, law := range []Law{Equal(10 * time.Millisecond), Exponential(10 * time.Millisecond), LogNormal(10 * time.Millisecond)} {
		c, h := small(Named("C", 0)), small(Named("H", 0))
		c.Law, h.Law = law, law
		if a, b := Run(c), Run(h); a.InTime != b.InTime || a.Calls != b.Calls || a.Wasted != b.Wasted {
			t.Errorf("%s: C has %d in time of %d calls, H %d of %d", law.Name, a.InTime, a.Calls, b.InTime, b.Calls)
		}
	}
}

// TestClosed: as many clients as there are ask again at once, so nobody waits for longer than the others take.
func TestClosed(t *testing.T) {
	c := small(Named("A", 0))
	c.Load, c.Closed, c.Attempts, c.Own = nil, 12, 1, 0
	got := Run(c)
	// 12 clients, 4 servers, 10 ms: 400 a second, each after 30 ms.
	if got.InTime < 2390 || got.InTime > 2410 || got.Quantile(0.5) > 31*time.Millisecond {
		t.Errorf("%d answers, %v each", got.InTime, got.Quantile(0.5))
	}
}

// TestNobody: a run to which nobody comes ends.
func TestNobody(t *testing.T) {
	c := small(Named("E", 0))
	c.Load = nil
	if got := Run(c); got.Requests != 0 {
		t.Errorf("%d requests", got.Requests)
	}
}
