package model

import (
	"math"
	"math/rand/v2"
	"time"
)

// A Law says how long the work of one call takes. Each call draws anew, a retry of the same request too.
type Law struct {
	Name string
	Draw func(*rand.Rand) time.Duration
}

// Never is the time of work that does not end.
const Never = time.Duration(1 << 62)

// Equal is work that always takes mean.
func Equal(mean time.Duration) Law {
	return Law{"equal", func(*rand.Rand) time.Duration { return mean }}
}

// Exponential has no memory: what has begun needs as long again as what has not.
func Exponential(mean time.Duration) Law {
	return Law{"exponential", func(rng *rand.Rand) time.Duration { return time.Duration(rng.ExpFloat64() * float64(mean)) }}
}

// LogNormal is much short work and some long, with sigma 1.
func LogNormal(mean time.Duration) Law {
	median := float64(mean) * math.Exp(-0.5)
	return Law{"log-normal σ=1", func(rng *rand.Rand) time.Duration { return time.Duration(median * math.Exp(rng.NormFloat64())) }}
}

// Mixed is long with the given share, and else short.
func Mixed(short, long time.Duration, share float64) Law {
	return Law{"mixed", func(rng *rand.Rand) time.Duration {
		if rng.Float64() < share {
			return long
		}
		return short
	}}
}
