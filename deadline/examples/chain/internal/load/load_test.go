package load

import (
	"slices"
	"testing"
	"time"
)

// TestArrivals wants the same browsers for the same seed, others for another, and as many as the rate says, within four standard
// deviations.
func TestArrivals(t *testing.T) {
	one := Load{Rate: 100, For: 100 * time.Second, Seed: 1}
	at := one.arrivals()
	if n := len(at); n < 10000-400 || n > 10000+400 {
		t.Errorf("%d came", n)
	}
	if !slices.IsSorted(at) || at[len(at)-1] >= one.For {
		t.Error("they are not in order, or too late")
	}
	if !slices.Equal(at, one.arrivals()) {
		t.Error("the same seed is not the same")
	}
	one.Seed = 2
	if slices.Equal(at, one.arrivals()) {
		t.Error("another seed is the same")
	}
}
