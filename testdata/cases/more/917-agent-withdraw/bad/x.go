// Package bad announces a service instance to a registry while it runs.
package bad

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Instance is one running copy of a service.
type Instance struct {
	Service string
	Addr    string
	Zone    string
}

// ErrLeaseLost is returned by Renew for a lease the registry has dropped.
var ErrLeaseLost = errors.New("lease lost")

// Registry is the directory of instances.
type Registry interface {
	Register(ctx context.Context, in Instance, ttl time.Duration) (lease string, err error)
	Renew(ctx context.Context, lease string) error
	Deregister(ctx context.Context, lease string) error
}

// Agent keeps an instance registered.
type Agent struct {
	registry Registry
	self     Instance
	ttl      time.Duration
}

// NewAgent returns an agent for the given instance.
func NewAgent(r Registry, self Instance) *Agent {
	return &Agent{registry: r, self: self, ttl: 30 * time.Second}
}

// Serve registers the instance, keeps it registered until ctx ends, and
// withdraws it.
func (a *Agent) Serve(ctx context.Context) error {
	lease, err := a.registry.Register(ctx, a.self, a.ttl)
	if err != nil {
		return fmt.Errorf("register %s: %w", a.self.Service, err)
	}
	lease = a.keep(ctx, lease)
	return a.withdraw(ctx, lease) // BUG(stalework)
}

// keep renews the lease, or takes a new one if it was lost, until ctx ends.
func (a *Agent) keep(ctx context.Context, lease string) string {
	tick := time.NewTicker(a.ttl / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return lease
		case <-tick.C:
		}
		next, err := a.renew(ctx, lease)
		if err != nil {
			slog.WarnContext(ctx, "lease not renewed", "service", a.self.Service, "err", err)
			continue
		}
		lease = next
	}
}

func (a *Agent) renew(ctx context.Context, lease string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, a.ttl/3)
	defer cancel()
	err := a.registry.Renew(ctx, lease)
	if errors.Is(err, ErrLeaseLost) {
		return a.registry.Register(ctx, a.self, a.ttl)
	}
	return lease, err
}

func (a *Agent) withdraw(ctx context.Context, lease string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second) // ALSO(stalework)
	defer cancel()
	if err := a.registry.Deregister(ctx, lease); err != nil { // ALSO(stalework)
		return fmt.Errorf("deregister %s: %w", a.self.Service, err)
	}
	return nil
}
