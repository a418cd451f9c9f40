// Package gc sweeps a block store and reports what it removed.
package gc

import (
	"context"
	"errors"
	"fmt"
)

var errPinned = errors.New("root set changed during the sweep")

// Removal is one removed block, or what went wrong.
type Removal struct {
	Key string
	Err error
}

type Store interface {
	Keys(ctx context.Context) (<-chan string, error)
	Delete(ctx context.Context, key string) error
}

type Pins interface {
	Live(ctx context.Context) (map[string]struct{}, error)
	Generation() uint64
}

// Sweeper removes what no pin reaches.
type Sweeper struct {
	store Store
	pins  Pins
}

func NewSweeper(s Store, p Pins) *Sweeper { return &Sweeper{store: s, pins: p} }

// Sweep starts a sweep; the caller reads removals until the channel is closed
// or it ends ctx.
func (s *Sweeper) Sweep(ctx context.Context) <-chan Removal {
	ctx, cancel := context.WithCancel(ctx)
	out := make(chan Removal, 128)
	go func() {
		defer cancel()
		defer close(out)
		gen := s.pins.Generation()
		live, err := s.pins.Live(ctx)
		if err != nil {
			emit(ctx, out, Removal{Err: fmt.Errorf("live set: %w", err)})
			return
		}
		keys, err := s.store.Keys(ctx)
		if err != nil {
			emit(ctx, out, Removal{Err: err})
			return
		}
		failed := 0
		for {
			select {
			case <-ctx.Done():
				return
			case k, ok := <-keys:
				if !ok {
					s.conclude(ctx, out, gen, failed)
					return
				}
				if _, keep := live[k]; keep {
					continue
				}
				if err := s.store.Delete(ctx, k); err != nil {
					failed++
					out <- Removal{Key: k, Err: err} // BUG(deafwait) ALT(orphan)
					continue
				}
				if !emit(ctx, out, Removal{Key: k}) {
					return
				}
			}
		}
	}()
	return out
}

func (s *Sweeper) conclude(ctx context.Context, out chan<- Removal, gen uint64, failed int) {
	if s.pins.Generation() != gen {
		emit(ctx, out, Removal{Err: errPinned})
	}
	if failed > 0 {
		emit(ctx, out, Removal{Err: fmt.Errorf("%d blocks left", failed)})
	}
}

func emit(ctx context.Context, out chan<- Removal, r Removal) bool {
	select {
	case out <- r:
		return true
	case <-ctx.Done():
		return false
	}
}
