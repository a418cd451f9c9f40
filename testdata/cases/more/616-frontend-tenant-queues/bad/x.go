// Package frontend queues queries per tenant and lets workers fetch them.
package frontend

import (
	"context"
	"errors"
	"sync"
)

var ErrFull = errors.New("too many outstanding requests")

// Query is a query and its answer.
type Query struct{ Tenant, Expr string }

type Answer struct {
	Rows [][]byte
	Err  error
}

type request struct {
	ctx    context.Context
	q      Query
	answer chan Answer
}

// Engine runs queries.
type Engine interface {
	Eval(ctx context.Context, q Query) ([][]byte, error)
}

// Frontend holds the queues.
type Frontend struct {
	mu     sync.Mutex
	queues map[string]chan *request
	ready  chan chan *request
}

func New() *Frontend {
	return &Frontend{queues: make(map[string]chan *request), ready: make(chan chan *request, 4096)}
}

// enqueue puts r into its tenant's queue and one ticket for it into ready.
func (f *Frontend) enqueue(r *request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	tq, ok := f.queues[r.q.Tenant]
	if !ok {
		tq = make(chan *request, 100)
		f.queues[r.q.Tenant] = tq
	}
	if len(f.ready) == cap(f.ready) {
		return false
	}
	select {
	case tq <- r:
	default:
		return false
	}
	select {
	case f.ready <- tq:
	default:
	}
	return true
}

// Do answers q within ctx.
func (f *Frontend) Do(ctx context.Context, q Query) ([][]byte, error) {
	r := &request{ctx: ctx, q: q, answer: make(chan Answer, 1)}
	if !f.enqueue(r) {
		return nil, ErrFull
	}
	select {
	case a := <-r.answer:
		return a.Rows, a.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *Frontend) next(ctx context.Context) (*request, error) {
	for {
		select {
		case tq := <-f.ready:
			select {
			case r := <-tq:
				return r, nil // ALT(stalework)
			default:
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Work serves the queues with e until ctx ends.
func (f *Frontend) Work(ctx context.Context, e Engine) error {
	for {
		r, err := f.next(ctx) // ALT(stalework)
		if err != nil {
			return err
		}
		rows, err := e.Eval(ctx, r.q) // BUG(stalework) ALT(detached)
		r.answer <- Answer{Rows: rows, Err: err}
	}
}
