package quorum

import (
	"context"
	"errors"
	"fmt"
)

// Replica holds a copy.
type Replica interface {
	Put(ctx context.Context, key string, val []byte) error
}

// Writer writes to most of its replicas.
type Writer struct {
	replicas []Replica
}

// NewWriter writes to replicas.
func NewWriter(replicas ...Replica) *Writer { return &Writer{replicas: replicas} }

var errQuorum = errors.New("too few replicas")

// Put returns as soon as most replicas have the value. The others may go on.
func (w *Writer) Put(ctx context.Context, key string, val []byte) error {
	need := len(w.replicas)/2 + 1
	acks := make(chan error, len(w.replicas))
	for i, r := range w.replicas {
		go func() {
			if err := r.Put(ctx, key, val); err != nil {
				acks <- fmt.Errorf("replica %d: %w", i, err)
				return
			}
			acks <- nil
		}()
	}
	return collect(ctx, acks, len(w.replicas), need)
}

func collect(ctx context.Context, acks <-chan error, all, need int) error {
	var ok int
	var errs []error
	for ok < need {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-acks:
			if err == nil {
				ok++
				continue
			}
			errs = append(errs, err)
			if len(errs) > all-need {
				return errors.Join(append(errs, errQuorum)...)
			}
		}
	}
	return nil
}
