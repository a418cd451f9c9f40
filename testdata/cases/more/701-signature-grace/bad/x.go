// Package bad evaluates entities as they arrive; signatures of artifacts need
// some time to appear in the registry.
package bad

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Kind of an entity.
type Kind int

// Kinds.
const (
	Repository Kind = iota
	Artifact
	PullRequest
)

// SignatureGrace is how long a signature may lag behind its artifact.
const SignatureGrace = 10 * time.Second

// Entity is what an event is about.
type Entity struct {
	ID   string
	Kind Kind
}

// Evaluator runs the rules.
type Evaluator interface {
	Eval(ctx context.Context, e *Entity) error
}

// Handler takes events.
type Handler struct {
	ev       Evaluator
	grace    time.Duration
	inflight sync.WaitGroup
}

// Option changes a Handler.
type Option func(*Handler)

// WithGrace sets the waiting period for signatures.
func WithGrace(d time.Duration) Option { return func(h *Handler) { h.grace = d } }

// New makes a Handler.
func New(ev Evaluator, opts ...Option) *Handler {
	h := &Handler{ev: ev, grace: SignatureGrace}
	for _, o := range opts {
		o(h)
	}
	return h
}

// HandleEvent evaluates one entity.
func (h *Handler) HandleEvent(ctx context.Context, e *Entity) error {
	if e == nil {
		return fmt.Errorf("event without entity")
	}
	h.inflight.Add(1)
	defer h.inflight.Done()
	h.settle(e.Kind) // BUG(deafwait)
	if err := h.ev.Eval(ctx, e); err != nil {
		return fmt.Errorf("evaluate %s: %w", e.ID, err)
	}
	slog.InfoContext(ctx, "evaluated", "entity", e.ID)
	return nil
}

func (h *Handler) settle(k Kind) {
	if k == Artifact {
		time.Sleep(h.grace) // ALT(deafwait)
	}
}
