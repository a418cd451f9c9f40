// Package backoff has the few signatures of github.com/cenkalti/backoff/v4 that the READMEs' programs use.
package backoff

import (
	"context"
	"time"
)

type (
	Operation func() error
	BackOff   interface {
		NextBackOff() time.Duration
		Reset()
	}
	BackOffContext interface {
		BackOff
		Context() context.Context
	}
	ExponentialBackOff struct{ MaxInterval time.Duration }
)

func (b *ExponentialBackOff) NextBackOff() time.Duration { return 0 }
func (b *ExponentialBackOff) Reset()                     {}

func Retry(o Operation, b BackOff) error                        { return nil }
func NewExponentialBackOff() *ExponentialBackOff                { return nil }
func WithContext(b BackOff, ctx context.Context) BackOffContext { return nil }
func WithMaxRetries(b BackOff, max uint64) BackOff              { return nil }
