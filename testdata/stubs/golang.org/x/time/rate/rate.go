// Package rate has the few signatures of golang.org/x/time/rate that the tests' programs use.
package rate

import "context"

type (
	Limit   float64
	Limiter struct{}
)

func NewLimiter(r Limit, b int) *Limiter { return nil }

func (*Limiter) Wait(ctx context.Context) error { return nil }
