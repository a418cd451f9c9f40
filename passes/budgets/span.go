package budgets

import (
	"math"
	"time"

	"github.com/doneby/doneby/passes/durations"
)

// span is a longest time: a point of the lattice no time < known lengths < a length that is not known < open.
type span struct {
	For     time.Duration // when neither of the others holds
	Unknown bool          // it ends by a cap whose length is not known
	Open    bool          // nothing here ends it
}

var (
	unknownSpan = span{Unknown: true}
	openSpan    = span{Open: true}
)

func (s span) String() string {
	switch {
	case s.Open:
		return "as long as it likes"
	case s.Unknown:
		return "up to a cap"
	}
	return "up to " + durations.Text(s.For)
}

// known reports whether the span has a length, and takes time at all.
func (s span) known() bool { return !s.Open && !s.Unknown && s.For > 0 }

// zero reports whether it takes no time.
func (s span) zero() bool { return s == span{} }

// plus is one after the other.
func (s span) plus(t span) span {
	if s.Open || t.Open {
		return openSpan
	}
	if s.Unknown || t.Unknown {
		return unknownSpan
	}
	return span{For: sum(s.For, t.For)}
}

// or is the longer of two branches.
func (s span) or(t span) span {
	if s.Open || t.Open {
		return openSpan
	}
	if s.Unknown || t.Unknown {
		return unknownSpan
	}
	return span{For: max(s.For, t.For)}
}

// times is n rounds.
func (s span) times(n int64) span {
	if s.Open || s.Unknown || s.For == 0 {
		return s
	}
	return span{For: product(s.For, n)}
}

// again is rounds that nobody counted.
func (s span) again() span { return openSpan }

// sum adds lengths that are not negative, and stops at the longest there is.
func sum(x, y time.Duration) time.Duration {
	if x > math.MaxInt64-y {
		return math.MaxInt64
	}
	return x + y
}

// product multiplies a length by a count, neither of them negative, and stops at the longest there is.
func product(d time.Duration, n int64) time.Duration {
	if n > 0 && int64(d) > math.MaxInt64/n {
		return math.MaxInt64
	}
	return d * time.Duration(n)
}
