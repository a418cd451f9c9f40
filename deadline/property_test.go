package deadline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// For all inputs: what is derived ends no later than its parent, no later than its own bound from now, and if it was derived
// at all, it has what the policy asks for.

// FuzzStart holds Start against the sentence that Policy is.
func FuzzStart(f *testing.F) {
	for _, n := range []int64{0, 1, -1, int64(time.Millisecond), int64(time.Hour), math.MaxInt64, math.MinInt64} {
		f.Add(n, n, n, n, true, false)
		f.Add(n, int64(0), int64(0), int64(time.Second), false, true)
		f.Add(int64(time.Second), int64(0), n, int64(time.Second), false, false)
	}
	f.Fuzz(func(t *testing.T, limit, reserve, least, parent int64, bounded, require bool) {
		p := Policy{Cap: time.Duration(limit), Reserve: time.Duration(reserve), Min: time.Duration(least), Require: require}
		holdStart(t, p, time.Duration(parent), bounded)
	})
}

func TestStartForAll(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	pick := func() time.Duration {
		switch r.IntN(8) {
		case 0:
			return 0
		case 1:
			return time.Duration(r.Uint64())
		case 2:
			return math.MaxInt64
		default:
			return time.Duration(r.Int64N(1 << r.IntN(50)))
		}
	}
	for range 200_000 {
		holdStart(t, Policy{Cap: pick(), Reserve: pick(), Min: pick(), Require: r.IntN(2) == 0}, pick(), r.IntN(4) > 0)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func holdStart(t *testing.T, p Policy, limit time.Duration, bounded bool) {
	ctx := context.Background()
	if bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	parent, _ := ctx.Deadline()
	before := time.Now()
	child, cancel, err := p.Start(ctx)
	defer cancel()
	after := time.Now()
	if err != nil {
		if child.Err() == nil {
			t.Errorf("%+v: refused, and the context lives", p)
		}
		if errors.Is(err, BadPolicy) != (p.Cap < 0 || p.Reserve < 0 || p.Min < 0 || p.Cap > 0 && p.Min > p.Cap) {
			t.Errorf("%+v: %v", p, err)
		}
		return
	}
	end, ok := child.Deadline()
	if !ok {
		if bounded || p.Cap > 0 || p.Require {
			t.Errorf("%+v, parent bounded %v: no deadline", p, bounded)
		}
		return
	}
	if p.Cap > 0 && end.Sub(after) > p.Cap {
		t.Errorf("%+v: %v, more than the cap", p, end.Sub(after))
	}
	if bounded && (end.After(parent) || parent.Sub(end) < p.Reserve) {
		t.Errorf("%+v: ends %v before its parent", p, parent.Sub(end))
	}
	if end.Sub(before) < p.Min {
		t.Errorf("%+v: %v, less than the minimum", p, end.Sub(before))
	}
	// And no shorter than the sentence says.
	if bounded && end.Before(parent.Add(-p.Reserve)) && (p.Cap == 0 || end.Before(before.Add(p.Cap))) {
		t.Errorf("%+v: ends %v before its parent, for no reason", p, parent.Sub(end))
	}
}

// FuzzEnvelope: no message is given more time than was left when it was sent, or than its deadline says where the clocks
// agree, and none makes the consumer panic.
func FuzzEnvelope(f *testing.F) {
	now := time.Now().UnixMilli()
	f.Add(int64(0), int64(0), int64(0), int64(0), int64(0), int64(0))
	f.Add(int64(1000), now, now+1000, int64(0), int64(time.Second), int64(0))
	f.Add(int64(math.MaxInt64), now, int64(math.MaxInt64), int64(math.MaxInt64), int64(1), int64(1))
	f.Add(int64(math.MinInt64), int64(math.MinInt64), int64(math.MinInt64), int64(math.MinInt64), int64(1), int64(1))
	f.Add(int64(1), int64(1), int64(math.MaxInt64), int64(0), int64(0), int64(time.Hour))
	f.Fuzz(func(t *testing.T, remaining, sent, until, skew, limit, reserve int64) {
		e := Envelope{RemainingMs: remaining, SentUnixMs: sent, DeadlineUnixMs: until}
		c := Consumer{Policy: Policy{Cap: time.Duration(limit), Reserve: time.Duration(reserve)}, Skew: time.Duration(skew)}
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		work, stop, do, err := c.Open(ctx, e)
		defer stop()
		end, ok := work.Deadline()
		if (do == Process) != (err == nil) || err != nil && work.Err() == nil {
			t.Fatalf("%+v: %v with %v, context %v", e, do, err, work.Err())
		}
		if err != nil {
			return
		}
		top, _ := ctx.Deadline()
		if !ok || end.After(top.Add(-time.Duration(reserve))) {
			t.Errorf("%+v: ends after its consumer", e)
		}
		after := time.Now()
		left := end.Sub(after)
		if e != (Envelope{}) && (remaining != 0 || sent != 0) && left > time.Duration(min(remaining, 1<<40))*time.Millisecond {
			t.Errorf("%+v: %v left", e, left)
		}
		if sent == 0 && remaining == 0 && until > 0 && left > time.UnixMilli(min(until, 1<<45)).Sub(after)+time.Microsecond {
			t.Errorf("%+v: %v left", e, left)
		}
	})
}

// However an envelope is sealed and opened, hop by hop, the time never grows, but for the instant between the two readings, of the wall
// clock and of the monotonic one, that time.Now makes: on some machines a microsecond.
func TestEnvelopeNeverGrows(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	before := ctx
	const apart = 50 * time.Microsecond
	for hop := range 50 {
		after, stop, _, err := Consumer{}.Open(context.Background(), Seal(before))
		defer stop()
		was, _ := before.Deadline()
		is, _ := after.Deadline()
		if err != nil || is.After(was.Add(apart)) {
			t.Fatalf("hop %d: %v later (%v)", hop, is.Sub(was), err)
		}
		before = after
	}
}
