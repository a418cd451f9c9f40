package theory

import (
	"math"
	"testing"
)

// TestKnown compares with values that are printed elsewhere, or follow by hand.
func TestKnown(t *testing.T) {
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"Erlang B, 1 server at load 1", ErlangB(1, 1), 0.5},
		{"Erlang B, 2 servers at load 1", ErlangB(2, 1), 0.2},
		{"Erlang B, 5 servers at load 3", ErlangB(5, 3), 0.110054},
		{"Erlang C of one server is its load", ErlangC(1, 0.7), 0.7},
		{"Erlang C, 2 servers at load 1", ErlangC(2, 1), 1. / 3},
		{"M/M/1 is M/M/c with one", WaitMMC(1, 80, 0.01), 0.04},
		{"M/M/1 is M/G/1 with variation 1", WaitMG1(80, 0.01, 1), 0.04},
		{"M/D/1 waits half as long", WaitMG1(80, 0.01, 0), 0.02},
		{"without patience nobody but the first is served: M/M/1/1", Leaves(50, 0.01, 0), ErlangB(1, 0.5)},
		{"with endless patience all above capacity leave", Leaves(150, 0.01, 100), 1. / 3},
		{"at capacity", Leaves(100, 0.01, 0.1), 1. / 12},
		{"the book's handled requests", Bimodal(1000, 1000, 0.1, 0.05, 100), 0.196270},
		{"the book's errors", 1 - Bimodal(1000, 1000, 0.1, 0.05, 100), 0.803730},
		{"the knee", Knee(1000, 1000, 0.1, 0.05), 18.1},
		{"at the knee all are handled", Bimodal(1000, 1000, 0.1, 0.05, 18.1), 1},
	} {
		if math.Abs(tt.got-tt.want) > 1e-6 {
			t.Errorf("%s: %.6f, want %.6f", tt.name, tt.got, tt.want)
		}
	}
}
