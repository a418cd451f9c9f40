package queue

import (
	"testing"
	"time"
)

// taken puts in 0, 1, … at 0 ms, 1 ms, …, lets one leave, and takes out all that is there, at now.
func taken(d Discipline, n, leaves int, now time.Duration) (got []int, overdue int) {
	q := New[int](d)
	for i := range n {
		e := q.Put(time.Duration(i)*time.Millisecond, i)
		if i == leaves {
			q.Leave(e)
			q.Leave(e) // twice is once
		}
	}
	for {
		e, late := q.Take(now)
		if e == nil {
			return got, overdue
		}
		if late {
			overdue++
			continue
		}
		got = append(got, e.Job)
	}
}

func TestTurn(t *testing.T) {
	for _, tt := range []struct {
		d             Discipline
		n             int
		first, served int
	}{
		{Discipline{}, 5000, 0, 4999}, // who left is served nowhere
		{Discipline{Limit: 3}, 4, 0, 3},
		{Discipline{LIFO: true}, 5000, 4999, 4999},
	} {
		got, overdue := taken(tt.d, tt.n, 1, time.Hour)
		if len(got) != tt.served || got[0] != tt.first || overdue != 0 {
			t.Errorf("%+v: %d served, the first is %d, %d overdue; want %d and %d", tt.d, len(got), got[0], overdue, tt.served, tt.first)
		}
		for i := 1; i < len(got); i++ {
			if up := got[i] > got[i-1]; up == tt.d.LIFO || got[i] == 1 {
				t.Fatalf("%+v: after %d comes %d", tt.d, got[i-1], got[i])
			}
		}
	}
	if q := New[int](Discipline{Limit: -1}); q.Put(0, 1) != nil {
		t.Error("somebody waits where nobody may")
	}
}

// TestControlledDelay: as long as the queue was empty lately, who has waited for less than the interval is served; once it
// stands, only who has waited for less than the target.
func TestControlledDelay(t *testing.T) {
	d := Discipline{Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond}
	for _, tt := range []struct {
		n       int
		now     time.Duration
		overdue int
	}{
		{50, 60 * time.Millisecond, 0},
		{50, 110 * time.Millisecond, 10},   // 0 to 9 have waited for more than 100 ms
		{200, 200 * time.Millisecond, 194}, // 0 to 99 by the interval, and 101 to 194 by the target
	} {
		if _, overdue := taken(d, tt.n, -1, tt.now); overdue != tt.overdue {
			t.Errorf("%d in, out at %v: %d overdue, want %d", tt.n, tt.now, overdue, tt.overdue)
		}
	}
}
