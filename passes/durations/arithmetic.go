package durations

import (
	"go/token"
	"math"
	"math/bits"
)

// arithmetic computes with numbers that stop at the ends of their range, as time.Until does: a wait of more than 292 years
// is one of 292 years. Division by zero and what durations are not used with is unknown.
func arithmetic(op token.Token, x, y int64) (int64, bool) {
	switch op {
	case token.ADD:
		return add(x, y), true
	case token.SUB:
		if y == math.MinInt64 {
			return add(add(x, math.MaxInt64), 1), true
		}
		return add(x, -y), true
	case token.MUL:
		return multiply(x, y), true
	case token.QUO:
		if y == 0 {
			return 0, false
		}
		if x == math.MinInt64 && y == -1 {
			return math.MaxInt64, true
		}
		return x / y, true
	case token.REM:
		if y == 0 {
			return 0, false
		}
		if y == -1 {
			return 0, true
		}
		return x % y, true
	case token.SHL:
		if y < 0 || y > 62 {
			return 0, false
		}
		return multiply(x, 1<<y), true
	case token.SHR:
		if y < 0 || y > 63 {
			return 0, false
		}
		return x >> y, true
	}
	return 0, false
}

func add(x, y int64) int64 {
	s := x + y
	if x > 0 && y > 0 && s < 0 {
		return math.MaxInt64
	}
	if x < 0 && y < 0 && s >= 0 {
		return math.MinInt64
	}
	return s
}

func multiply(x, y int64) int64 {
	negative := (x < 0) != (y < 0)
	high, low := bits.Mul64(magnitude(x), magnitude(y))
	switch {
	case !negative && (high != 0 || low > math.MaxInt64):
		return math.MaxInt64
	case negative && (high != 0 || low > 1<<63):
		return math.MinInt64
	case negative:
		return -int64(low)
	}
	return int64(low)
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}
