package objstore

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Bucket writes objects.
type Bucket interface {
	Put(ctx context.Context, key string, b []byte) error
}

type Policy struct {
	Max   int
	Again func(ctx context.Context, err error) bool
	Pause func(ctx context.Context, n int) bool
}

func again(ctx context.Context, err error) bool {
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return false
	}
	return err != nil
}

func pause(ctx context.Context, n int) bool {
	t := time.NewTimer(time.Duration(n+1) * 200 * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func DefaultPolicy() Policy { return Policy{Max: 5, Again: again, Pause: pause} }

type retrying struct {
	Bucket
	p Policy
}

// WithRetries wraps a bucket.
func WithRetries(b Bucket, p Policy) Bucket { return &retrying{b, p} }

func (r *retrying) Put(ctx context.Context, key string, b []byte) error {
	var err error
	for n := 0; n < r.p.Max; n++ {
		if err = r.Bucket.Put(ctx, key, b); !r.p.Again(ctx, err) {
			return err
		}
		if !r.p.Pause(ctx, n) {
			break
		}
	}
	return fmt.Errorf("put %s: %w", key, err)
}
