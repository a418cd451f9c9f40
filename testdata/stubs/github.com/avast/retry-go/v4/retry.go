// Package retry has the few signatures of github.com/avast/retry-go/v4 that the READMEs' programs use.
package retry

import "context"

type (
	Config        struct{}
	Option        func(*Config)
	RetryableFunc func() error
)

func Attempts(n uint) Option             { return nil }
func Context(ctx context.Context) Option { return nil }

func Do(f RetryableFunc, opts ...Option) error { return nil }
