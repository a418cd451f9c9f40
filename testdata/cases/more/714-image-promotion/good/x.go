// Package good promotes images and waits for the registry to show them.
package good

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// ErrUnknown is returned by a Registry that has no such image yet.
var ErrUnknown = errors.New("manifest unknown")

// Registry is a remote registry.
type Registry interface {
	Head(ctx context.Context, ref string) (digest string, err error)
	Copy(ctx context.Context, from, to string) error
}

var steps = wait.Backoff{Duration: 2 * time.Second, Factor: 2, Jitter: 0.1, Steps: 8, Cap: 2 * time.Minute}

// Promoter copies images.
type Promoter struct {
	reg Registry
	b   wait.Backoff
}

// New makes a Promoter.
func New(r Registry) *Promoter { return &Promoter{reg: r, b: steps} }

func (p *Promoter) visible(ctx context.Context, ref, digest string) (bool, error) {
	got, err := p.reg.Head(ctx, ref)
	switch {
	case errors.Is(err, ErrUnknown):
		return false, nil
	case err != nil:
		return false, err
	}
	return got == digest, nil
}

// Promote copies an image and returns when it can be pulled.
func (p *Promoter) Promote(ctx context.Context, from, to string) error {
	digest, err := p.reg.Head(ctx, from)
	if err != nil {
		return err
	}
	if err := p.reg.Copy(ctx, from, to); err != nil {
		return fmt.Errorf("copy to %s: %w", to, err)
	}
	return wait.ExponentialBackoffWithContext(ctx, p.b, func(ctx context.Context) (bool, error) {
		return p.visible(ctx, to, digest)
	})
}
