package agent

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"
)

// Catalog is what a run applies.
type Catalog interface {
	Apply(ctx context.Context) (changed int, err error)
}

// Settings of an agent.
type Settings struct {
	Every time.Duration
	Splay time.Duration
}

// Agent applies the catalog every so often.
type Agent struct {
	Settings
	catalog Catalog
	log     *slog.Logger
}

// New makes an agent.
func New(c Catalog, s Settings, log *slog.Logger) *Agent {
	if s.Every == 0 {
		s.Every = 30 * time.Minute
	}
	if s.Splay == 0 {
		s.Splay = s.Every / 6
	}
	return &Agent{Settings: s, catalog: c, log: log}
}

// Run applies until ctx ends. The splay keeps a fleet from coming all at once.
func (a *Agent) Run(ctx context.Context) error {
	splay := rand.N(a.Splay)
	a.log.Info("waiting", "splay", splay)
	select {
	case <-time.After(splay):
	case <-ctx.Done():
		return ctx.Err()
	}
	t := time.NewTicker(a.Every)
	defer t.Stop()
	for {
		a.once(ctx)
		select {
		case <-t.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (a *Agent) once(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, a.Every)
	defer cancel()
	n, err := a.catalog.Apply(ctx)
	if err != nil {
		a.log.Error("apply", "err", err)
		return
	}
	a.log.Info("applied", "changed", n)
}
