// Package bad converts series on a fixed set of workers.
package bad

import (
	"context"
	"sync"
)

// Series is compressed data.
type Series struct {
	ID   string
	Data []byte
}

// Points is what a series unpacks to.
type Points struct {
	ID     string
	Values []float64
}

// Decoder unpacks; it is slow.
type Decoder interface {
	Decode(s *Series) (*Points, error)
}

type task[In, Out any] struct {
	ctx  context.Context
	in   In
	done chan result[Out]
}

type result[Out any] struct {
	out Out
	err error
}

// Pool runs fn on workers.
type Pool[In, Out any] struct {
	fn    func(In) (Out, error)
	tasks chan task[In, Out]
	wg    sync.WaitGroup
}

// NewPool starts n workers.
func NewPool[In, Out any](n int, fn func(In) (Out, error)) *Pool[In, Out] {
	p := &Pool[In, Out]{fn: fn, tasks: make(chan task[In, Out], 16*n)}
	for range n {
		p.wg.Add(1)
		go p.work()
	}
	return p
}

// DecoderPool is a Pool of one decoder.
func DecoderPool(n int, d Decoder) *Pool[*Series, *Points] { return NewPool(n, d.Decode) }

func (p *Pool[In, Out]) work() {
	defer p.wg.Done()
	for t := range p.tasks {
		out, err := p.fn(t.in) // BUG(stalework)
		t.done <- result[Out]{out, err}
	}
}

// Do has in worked on; it waits for room and for the result.
func (p *Pool[In, Out]) Do(ctx context.Context, in In) (out Out, err error) {
	t := task[In, Out]{ctx: ctx, in: in, done: make(chan result[Out], 1)}
	select {
	case p.tasks <- t:
	case <-ctx.Done():
		return out, ctx.Err()
	}
	select {
	case r := <-t.done:
		return r.out, r.err
	case <-ctx.Done():
		return out, ctx.Err()
	}
}

// Close waits for the workers; there must be no more calls of Do.
func (p *Pool[In, Out]) Close() {
	close(p.tasks)
	p.wg.Wait()
}
