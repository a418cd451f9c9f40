// Package bad renders map tiles with a few workers behind a priority queue.
package bad

import (
	"container/heap"
	"context"
	"sync"
)

// Spec says what is to be rendered.
type Spec struct {
	Layer   string
	X, Y, Z int
}

type outcome struct {
	tile []byte
	err  error
}

type job struct {
	ctx  context.Context
	spec Spec
	prio int
	out  chan outcome
}

type backlog []*job

func (b backlog) Len() int           { return len(b) }
func (b backlog) Less(i, k int) bool { return b[i].prio > b[k].prio }
func (b backlog) Swap(i, k int)      { b[i], b[k] = b[k], b[i] }
func (b *backlog) Push(x any)        { *b = append(*b, x.(*job)) }
func (b *backlog) Pop() any {
	last := len(*b) - 1
	j := (*b)[last]
	(*b)[last] = nil
	*b = (*b)[:last]
	return j
}

// Renderer draws a tile, which keeps one processor busy for seconds.
type Renderer interface {
	Render(s Spec) ([]byte, error)
}

// Pool queues tiles.
type Pool struct {
	renderer Renderer
	mu       sync.Mutex
	jobs     backlog
	wake     chan struct{}
}

// NewPool returns a pool whose workers are started with Work.
func NewPool(r Renderer) *Pool {
	return &Pool{renderer: r, wake: make(chan struct{}, 1)}
}

// Tile queues a tile and waits for it.
func (p *Pool) Tile(ctx context.Context, s Spec, prio int) ([]byte, error) {
	j := &job{ctx: ctx, spec: s, prio: prio, out: make(chan outcome, 1)}
	p.push(j)
	select {
	case o := <-j.out:
		return o.tile, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *Pool) push(j *job) {
	p.mu.Lock()
	heap.Push(&p.jobs, j)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *Pool) pop() *job {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.jobs) == 0 {
		return nil
	}
	return heap.Pop(&p.jobs).(*job)
}

// Work renders until ctx ends.
func (p *Pool) Work(ctx context.Context) {
	for ctx.Err() == nil {
		if j := p.pop(); j != nil {
			p.serve(j) // ALSO(stalework)
			continue
		}
		select {
		case <-p.wake:
		case <-ctx.Done():
		}
	}
}

func (p *Pool) serve(j *job) {
	var o outcome
	o.tile, o.err = p.renderer.Render(j.spec) // BUG(stalework)
	j.out <- o
}
