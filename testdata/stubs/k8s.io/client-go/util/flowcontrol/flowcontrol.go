// Package flowcontrol has the few signatures of k8s.io/client-go/util/flowcontrol that the tests' programs use.
package flowcontrol

import "context"

type RateLimiter interface {
	TryAccept() bool
	Accept()
	Wait(ctx context.Context) error
}
