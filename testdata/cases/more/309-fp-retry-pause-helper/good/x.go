package fetch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Getter gets one object.
type Getter interface {
	Get(ctx context.Context, key string) ([]byte, error)
}

type temporary interface{ Temporary() bool }

type pacer struct {
	base, top time.Duration
	sleep     func(ctx context.Context, d time.Duration) error
}

func sleepCtx(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p pacer) wait(ctx context.Context, n int) error {
	d := min(p.base<<n, p.top)
	return p.sleep(ctx, d/2+rand.N(d/2))
}

// Reader gets objects again and again until they come.
type Reader struct {
	src Getter
	pacer
}

// NewReader paces itself between 100 ms and 10 s.
func NewReader(src Getter) *Reader {
	return &Reader{src: src, pacer: pacer{base: 100 * time.Millisecond, top: 10 * time.Second, sleep: sleepCtx}}
}

// Read gets one object.
func (r *Reader) Read(ctx context.Context, key string) ([]byte, error) {
	for n := 0; ; n++ {
		b, err := r.src.Get(ctx, key)
		var t temporary
		if err == nil || !errors.As(err, &t) || !t.Temporary() {
			return b, err
		}
		if werr := r.wait(ctx, min(n, 10)); werr != nil {
			return nil, fmt.Errorf("%w (last: %w)", werr, err)
		}
	}
}
