package ledger

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestAccounts works 20 ms at a station, of which rest is a part, for a request that is over at some time after it began.
func TestAccounts(t *testing.T) {
	const ms = time.Millisecond
	failed := errors.New("failed")
	for name, tt := range map[string]struct {
		deadline, ended time.Duration // after the begin of the work; ended 0 is not before the work is done
		ok              bool
		rest            time.Duration
		err             error
		busy, wasted    time.Duration
		useful          time.Duration
	}{
		"in time":                   {deadline: 50 * ms, ok: true, busy: 20 * ms, useful: 20 * ms},
		"in time, with a query":     {deadline: 50 * ms, ok: true, rest: 12 * ms, busy: 20 * ms, useful: 20 * ms},
		"a query that is slow":      {deadline: 50 * ms, ok: true, rest: 30 * ms, busy: 30 * ms, useful: 30 * ms},
		"a query that fails":        {deadline: 50 * ms, rest: 12 * ms, err: failed, busy: 12 * ms},
		"in vain":                   {deadline: 50 * ms, busy: 20 * ms},
		"deadline in between":       {deadline: 15 * ms, busy: 20 * ms, wasted: 5 * ms},
		"begun after the deadline":  {deadline: -7 * ms, busy: 20 * ms, wasted: 20 * ms},
		"left in between":           {deadline: 50 * ms, ended: 8 * ms, busy: 20 * ms, wasted: 12 * ms},
		"answered by another":       {deadline: 50 * ms, ended: 8 * ms, ok: true, busy: 20 * ms, wasted: 12 * ms, useful: 8 * ms},
		"ended after the deadline":  {deadline: 5 * ms, ended: 8 * ms, busy: 20 * ms, wasted: 15 * ms},
		"done as the deadline came": {deadline: 20 * ms, busy: 20 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := New()
				s := l.Station("B", 20*ms)
				l.Begin("1", time.Now().Add(tt.deadline))
				if tt.ended > 0 {
					time.AfterFunc(tt.ended, func() { l.End("1", tt.ok) })
				}
				rest := func() error { time.Sleep(tt.rest); return tt.err }
				if err := s.Do("1", rest); err != tt.err {
					t.Errorf("%v, want %v", err, tt.err)
				}
				if tt.ended == 0 {
					l.End("1", tt.ok)
				}
				stations, useful := l.Accounts()
				if want := (Account{"B", 1, tt.busy, tt.wasted}); len(stations) != 1 || stations[0] != want {
					t.Errorf("%+v, want %+v", stations, want)
				}
				if useful != tt.useful {
					t.Errorf("%v useful, want %v", useful, tt.useful)
				}
			})
		})
	}
}

// TestClosed wants work of the warm-up not to be counted, and none to be done when the run is over.
func TestClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New()
		s := l.Station("B", time.Second)
		if err := s.Do("of another ledger", nil); err != nil {
			t.Error(err)
		}
		l.Begin("1", time.Now().Add(time.Minute))
		l.Close()
		if err := s.Do("1", func() error { t.Error("it worked"); return nil }); err != ErrClosed {
			t.Error(err)
		}
		if stations, _ := l.Accounts(); stations[0] != (Account{Name: "B"}) {
			t.Errorf("%+v", stations)
		}
	})
}
