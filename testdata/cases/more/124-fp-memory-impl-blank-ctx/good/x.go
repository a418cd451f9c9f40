package sessions

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"
)

var ErrNotFound = errors.New("not found")

// Store keeps sessions.
type Store interface {
	Get(ctx context.Context, id string) (Session, error)
	Put(ctx context.Context, s Session) error
	Expire(ctx context.Context, before time.Time) (int, error)
	IDs(ctx context.Context) ([]string, error)
}

type Session struct {
	ID   string
	Seen time.Time
	Data map[string]string
}

type memory struct {
	mu sync.RWMutex
	m  map[string]Session
}

func NewMemory() Store { return &memory{m: map[string]Session{}} }

func (m *memory) Get(_ context.Context, id string) (Session, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	s, ok := m.m[id]
	if !ok {
		return s, ErrNotFound
	}
	return s, nil
}

func (m *memory) Put(_ context.Context, s Session) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.m[s.ID] = s
	return nil
}

func (m *memory) Expire(_ context.Context, before time.Time) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.m)
	maps.DeleteFunc(m.m, func(_ string, s Session) bool { return s.Seen.Before(before) })
	return n - len(m.m), nil
}

func (m *memory) IDs(context.Context) ([]string, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Sorted(maps.Keys(m.m)), nil
}
