package event

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestOrder takes things out by time and, at the same time, by turn.
func TestOrder(t *testing.T) {
	type ask struct {
		at   time.Duration
		turn int
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var q Queue[ask]
	var want []ask
	for i := range 2000 {
		a := ask{time.Duration(rng.IntN(300)), i}
		want = append(want, a)
		q.At(a.at, a)
	}
	slices.SortFunc(want, func(a, b ask) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return a.turn - b.turn
	})
	for i, w := range want {
		got, ok := q.Next(time.Hour)
		if !ok || got != w || q.Now() != w.at {
			t.Fatalf("number %d is %v (%v) at %v, want %v", i, got, ok, q.Now(), w)
		}
	}
	if _, ok := q.Next(time.Hour); ok {
		t.Error("an empty queue has something")
	}
}

// TestLimit leaves what lies behind the limit where it is, and the clock too; what is asked for too late happens now.
func TestLimit(t *testing.T) {
	var q Queue[string]
	q.At(5, "five")
	if what, ok := q.Next(4); ok || q.Now() != 0 {
		t.Errorf("until 4: %q, %v at %v", what, ok, q.Now())
	}
	if what, ok := q.Next(5); !ok || what != "five" {
		t.Errorf("until 5: %q, %v", what, ok)
	}
	q.At(3, "late")
	if _, ok := q.Next(5); !ok || q.Now() != 5 {
		t.Errorf("the clock went to %v", q.Now())
	}
}
