// Package bad moves objects between the tiers of a store.
package bad

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"time"
)

// Policy says how often, and with which pauses, something is attempted.
type Policy struct {
	Attempts int
	First    time.Duration
	Cap      time.Duration
}

// Rounds yields the number of each attempt, when its time has come.
func (p Policy) Rounds() iter.Seq[int] {
	return func(yield func(int) bool) {
		wait := p.First
		for n := 1; n <= p.Attempts; n++ {
			if n > 1 {
				time.Sleep(spread(wait)) // ALSO(retry)
				wait = min(2*wait, p.Cap)
			}
			if !yield(n) {
				return
			}
		}
	}
}

func spread(d time.Duration) time.Duration {
	return d/2 + rand.N(d/2+1)
}

// StatusError is an answer of the store.
type StatusError struct{ Code int }

func (e *StatusError) Error() string { return fmt.Sprintf("store answered %d", e.Code) }

func worthAnother(err error) bool {
	var se *StatusError
	return errors.As(err, &se) && (se.Code == 429 || se.Code >= 500)
}

// Store holds the objects.
type Store interface {
	Copy(ctx context.Context, from, to string) error
	Delete(ctx context.Context, key string) error
}

// Mover shifts objects to a colder tier.
type Mover struct {
	store  Store
	policy Policy
	log    *slog.Logger
}

// NewMover returns a mover with the usual policy.
func NewMover(s Store, log *slog.Logger) *Mover {
	return &Mover{store: s, log: log, policy: Policy{Attempts: 6, First: 500 * time.Millisecond, Cap: 20 * time.Second}}
}

// Demote moves each key below the cold prefix.
func (m *Mover) Demote(ctx context.Context, keys []string) error {
	for _, key := range keys {
		if err := m.copy(ctx, key); err != nil {
			return fmt.Errorf("demote %s: %w", key, err)
		}
		if err := m.store.Delete(ctx, key); err != nil {
			return fmt.Errorf("delete %s: %w", key, err)
		}
	}
	return nil
}

func (m *Mover) copy(ctx context.Context, key string) error {
	var last error
	for n := range m.policy.Rounds() { // BUG(retry)
		last = m.store.Copy(ctx, key, "cold/"+key)
		if last == nil || !worthAnother(last) {
			return last
		}
		m.log.WarnContext(ctx, "copy failed", "key", key, "attempt", n, "err", last)
	}
	return last
}
