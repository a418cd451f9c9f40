// Package good reads values from whichever replica answers first.
package good

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrNoQuorum is returned if too few replicas have answered.
var ErrNoQuorum = errors.New("no quorum")

// Value is one version of a key.
type Value struct {
	Data    []byte
	Version uint64
}

// Replica is one copy of the data.
type Replica interface {
	Name() string
	Get(ctx context.Context, key string) (Value, error)
}

type answer struct {
	from  string
	value Value
	err   error
	took  time.Duration
}

// Reader asks several replicas at once.
type Reader struct {
	replicas []Replica
	quorum   int
	observe  func(replica string, took time.Duration)
}

// NewReader returns a reader that is content with a majority.
func NewReader(rs []Replica, observe func(string, time.Duration)) *Reader {
	return &Reader{replicas: rs, quorum: len(rs)/2 + 1, observe: observe}
}

// Get returns the newest value among the first answers.
func (r *Reader) Get(ctx context.Context, key string) (Value, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return r.newest(ctx, r.ask(ctx, key))
}

func (r *Reader) ask(ctx context.Context, key string) <-chan answer {
	answers := make(chan answer, len(r.replicas))
	for _, rep := range r.replicas {
		go func() {
			start := time.Now()
			v, err := rep.Get(ctx, key)
			answers <- answer{from: rep.Name(), value: v, err: err, took: time.Since(start)}
		}()
	}
	return answers
}

func (r *Reader) newest(ctx context.Context, answers <-chan answer) (Value, error) {
	var (
		best  Value
		found int
		errs  []error
	)
	for range r.replicas {
		var a answer
		select {
		case a = <-answers:
		case <-ctx.Done():
			return Value{}, ctx.Err()
		}
		r.observe(a.from, a.took)
		if a.err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", a.from, a.err))
			continue
		}
		if found++; found == 1 || a.value.Version > best.Version {
			best = a.value
		}
		if found == r.quorum {
			return best, nil
		}
	}
	return Value{}, errors.Join(append(errs, ErrNoQuorum)...)
}
