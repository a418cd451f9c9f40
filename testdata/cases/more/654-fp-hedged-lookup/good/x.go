// Package hedge asks a second server when the first one is slow.
package hedge

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// Getter reads one key.
type Getter interface {
	Get(ctx context.Context, key string) *redis.StringCmd
}

type answer struct {
	from int
	val  string
	err  error
}

// Hedger reads from the fastest of its servers.
type Hedger struct {
	servers []Getter
	delay   time.Duration
	wins    []atomic.Int64
}

func New(delay time.Duration, servers ...Getter) *Hedger {
	return &Hedger{servers: servers, delay: delay, wins: make([]atomic.Int64, len(servers))}
}

func (h *Hedger) ask(ctx context.Context, i int, key string, to chan<- answer) {
	v, err := h.servers[i].Get(ctx, key).Result()
	to <- answer{i, v, err}
}

// Get gives the first good answer; late ones are thrown away.
func (h *Hedger) Get(ctx context.Context, key string) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := make(chan answer, len(h.servers))
	asked, open := 0, 0
	launch := func() {
		if asked < len(h.servers) {
			go h.ask(ctx, asked, key, answers)
			asked++
			open++
		}
	}
	launch()
	next := time.NewTicker(h.delay)
	defer next.Stop()
	var errs []error
	for open > 0 {
		select {
		case a := <-answers:
			open--
			if a.err == nil || errors.Is(a.err, redis.Nil) {
				h.wins[a.from].Add(1)
				return a.val, a.err
			}
			errs = append(errs, a.err)
			launch()
		case <-next.C:
			launch()
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return "", errors.Join(errs...)
}
