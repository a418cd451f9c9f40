// Package good has the in-memory implementation of a lock service, for single
// machines.
package good

import (
	"context"
	"errors"
	"sync"
)

// ErrHeld is returned if somebody else has the lock.
var ErrHeld = errors.New("lock is held")

// ErrNotHeld is returned for a lock that nobody has.
var ErrNotHeld = errors.New("lock is not held")

// Change tells that a lock has changed hands.
type Change struct {
	Name string
	Held bool
}

// Service is implemented over several databases.
type Service interface {
	TryLock(ctx context.Context, name string) error
	Unlock(ctx context.Context, name string) error
	// Changes returns what has happened since the last call.
	Changes(ctx context.Context) ([]Change, error)
	Close(ctx context.Context) error
}

// Memory is a Service within the process.
type Memory struct {
	mu     sync.Mutex
	slots  map[string]chan struct{}
	events chan Change
}

var _ Service = (*Memory)(nil)

// NewMemory returns a service that remembers the last changes.
func NewMemory() *Memory {
	return &Memory{slots: map[string]chan struct{}{}, events: make(chan Change, 128)}
}

func (m *Memory) slot(name string) chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.slots[name]
	if !ok {
		s = make(chan struct{}, 1)
		m.slots[name] = s
	}
	return s
}

// TryLock implements Service.
func (m *Memory) TryLock(_ context.Context, name string) error {
	select {
	case m.slot(name) <- struct{}{}:
		m.note(Change{name, true})
		return nil
	default:
		return ErrHeld
	}
}

// Unlock implements Service.
func (m *Memory) Unlock(_ context.Context, name string) error {
	select {
	case <-m.slot(name):
		m.note(Change{name, false})
		return nil
	default:
		return ErrNotHeld
	}
}

// note keeps a change, in the place of the oldest one if there is no room.
func (m *Memory) note(c Change) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.events) == cap(m.events) {
		<-m.events
	}
	m.events <- c
}

// Changes implements Service.
func (m *Memory) Changes(_ context.Context) ([]Change, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []Change
	for len(m.events) > 0 {
		all = append(all, <-m.events)
	}
	return all, nil
}

// Close implements Service.
func (m *Memory) Close(ctx context.Context) error {
	_, err := m.Changes(ctx)
	return err
}
