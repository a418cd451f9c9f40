// Package good keeps a failing dependency from being called.
package good

import (
	"context"
	"errors"
	"log"
	"sync"
	"time"
)

// ErrOpen is returned while the dependency is left alone.
var ErrOpen = errors.New("circuit open")

type state int

const (
	closed state = iota
	open
	probing
)

func (s state) String() string {
	return [...]string{"closed", "open", "probing"}[s]
}

// Config says when a breaker trips and for how long.
type Config struct {
	Name     string
	Failures int
	Cooldown time.Duration
}

// Breaker is safe for concurrent use.
type Breaker struct {
	cfg Config

	mu       sync.Mutex
	state    state
	failures int
	retryAt  time.Time
}

// New returns a closed breaker.
func New(cfg Config) *Breaker { return &Breaker{cfg: cfg} }

// Do calls fn unless the circuit is open.
func (b *Breaker) Do(ctx context.Context, fn func(context.Context) error) error {
	if err := b.admit(); err != nil {
		return err
	}
	err := fn(ctx)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		b.forget()
		return err
	}
	b.report(err == nil)
	return err
}

func (b *Breaker) admit() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch b.state {
	case probing:
		return ErrOpen
	case open:
		if time.Now().Before(b.retryAt) {
			return ErrOpen
		}
		b.enter(probing)
	}
	return nil
}

// forget undoes an admission of which nothing was learnt.
func (b *Breaker) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state == probing {
		b.enter(open)
	}
}

func (b *Breaker) report(ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ok {
		b.failures = 0
		b.enter(closed)
		return
	}
	b.failures++
	if b.state == probing || b.failures >= b.cfg.Failures {
		b.trip()
	}
}

func (b *Breaker) trip() {
	b.retryAt = time.Now().Add(b.cfg.Cooldown)
	b.enter(open)
	log.Printf("breaker %s: next probe at %s", b.cfg.Name, b.retryAt.Truncate(time.Millisecond).Format(time.RFC3339Nano))
}

func (b *Breaker) enter(s state) {
	if s == b.state {
		return
	}
	log.Printf("breaker %s: %s, was %s", b.cfg.Name, s, b.state)
	b.state = s
}

// Status is shown on the status page.
func (b *Breaker) Status() (name, current string, failures int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cfg.Name, b.state.String(), b.failures
}
