package slots

import (
	"context"
	"errors"
	"sync"
)

var ErrBadLimit = errors.New("limit must be positive")

// Slots is a semaphore whose size can change.
type Slots struct {
	mu    sync.Mutex
	free  *sync.Cond
	limit int
	used  int
}

func New(limit int) (*Slots, error) {
	if limit <= 0 {
		return nil, ErrBadLimit
	}
	s := &Slots{limit: limit}
	s.free = sync.NewCond(&s.mu)
	return s, nil
}

// Acquire takes a slot.
func (s *Slots) Acquire(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.free.Broadcast()
	})
	defer stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.used >= s.limit {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.free.Wait()
	}
	s.used++
	return nil
}

func (s *Slots) Release() {
	s.mu.Lock()
	s.used--
	s.mu.Unlock()
	s.free.Signal()
}

func (s *Slots) Resize(limit int) error {
	if limit <= 0 {
		return ErrBadLimit
	}
	s.mu.Lock()
	s.limit = limit
	s.mu.Unlock()
	s.free.Broadcast()
	return nil
}
