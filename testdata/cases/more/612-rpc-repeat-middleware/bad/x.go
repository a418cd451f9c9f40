// Package rpcrepeat is a middleware that repeats calls to the entity store.
package rpcrepeat

import (
	"context"
	"errors"
	"math"
	"time"
)

// ErrNoEntity is never repeated.
var ErrNoEntity = errors.New("no such entity")

type Key struct{ Kind, Name string }

// Store is what the middleware wraps.
type Store interface {
	Get(ctx context.Context, k Key) ([]byte, error)
	Put(ctx context.Context, k Key, v []byte) error
}

type repeater struct {
	Store
	limit int
	min   time.Duration
	max   time.Duration
	sleep func(time.Duration)
	logf  func(format string, args ...any)
}

// Option changes the middleware.
type Option func(*repeater)

func Limit(n int) Option { return func(r *repeater) { r.limit = n } }

func Logf(f func(string, ...any)) Option { return func(r *repeater) { r.logf = f } }

// New wraps next.
func New(next Store, opts ...Option) Store {
	r := &repeater{Store: next, limit: 4, min: 100 * time.Millisecond, max: 5 * time.Second, sleep: time.Sleep}
	for _, o := range opts {
		o(r)
	}
	return r
}

func (r *repeater) do(ctx context.Context, what string, f func() error) error {
	for n := 0; ; n++ { // ALT(retry)
		err := f()
		if err == nil || errors.Is(err, ErrNoEntity) || n >= r.limit {
			return err
		}
		d := time.Duration(math.Pow(2, float64(n))) * r.min
		if d > r.max {
			d = r.max
		}
		if r.logf != nil {
			r.logf("%s: try %d: %v, again in %s", what, n+1, err, d)
		}
		r.sleep(d) // BUG(retry) ALT(deafwait)
	}
}

func (r *repeater) Get(ctx context.Context, k Key) (v []byte, err error) {
	err = r.do(ctx, "get", func() error {
		v, err = r.Store.Get(ctx, k)
		return err
	})
	return v, err
}

func (r *repeater) Put(ctx context.Context, k Key, v []byte) error {
	return r.do(ctx, "put", func() error { return r.Store.Put(ctx, k, v) })
}
