package snapshot

import (
	"context"
	"errors"
	"sync"

	"github.com/redis/go-redis/v9"
)

var ErrMissing = errors.New("missing")

type entry struct {
	once sync.Once
	val  string
	err  error
}

// Snapshot reads a fixed version of the data.
type Snapshot struct {
	rdb     redis.UniversalClient
	version string
	mu      sync.Mutex
	seen    map[string]*entry
}

func Open(rdb redis.UniversalClient, version string) *Snapshot {
	return &Snapshot{rdb: rdb, version: version, seen: map[string]*entry{}}
}

// Get reads one key.
func (s *Snapshot) Get(ctx context.Context, key string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return s.cached(key, func() (string, error) {
		return s.load(ctx, key)
	})
}

func (s *Snapshot) cached(key string, fill func() (string, error)) (string, error) {
	s.mu.Lock()
	e := s.seen[key]
	if e == nil {
		e = new(entry)
		s.seen[key] = e
	}
	s.mu.Unlock()
	e.once.Do(func() { e.val, e.err = fill() })
	if e.err != nil {
		s.forget(key, e)
	}
	return e.val, e.err
}

func (s *Snapshot) forget(key string, e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[key] == e {
		delete(s.seen, key)
	}
}

func (s *Snapshot) load(ctx context.Context, key string) (string, error) {
	v, err := s.rdb.HGet(ctx, "v:"+s.version, key).Result()
	if errors.Is(err, redis.Nil) {
		return "", ErrMissing
	}
	return v, err
}
