package worker

import (
	"context"
	"log"
	"sync"
	"sync/atomic"
	"time"
)

// Message is one message of the queue.
type Message struct {
	Receipt string
	Body    []byte
}

// Queue is the source of jobs.
type Queue interface {
	Receive(ctx context.Context, n int) ([]Message, error)
	Delete(ctx context.Context, receipt string) error
}

// Handler does one job.
type Handler func(ctx context.Context, body []byte) error

// Pool runs jobs.
type Pool struct {
	queue    Queue
	handle   Handler
	failures atomic.Int32
	size     int
}

// NewPool runs size workers.
func NewPool(q Queue, h Handler, size int) *Pool { return &Pool{queue: q, handle: h, size: size} }

// Run works until ctx ends and all workers are back.
func (p *Pool) Run(ctx context.Context) {
	var wg sync.WaitGroup
	for range p.size {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.work(ctx)
		}()
	}
	wg.Wait() // ALT(deafwait)
}

func (p *Pool) open() bool { return p.failures.Load() > 5 }

func (p *Pool) work(ctx context.Context) {
	for ctx.Err() == nil {
		if p.open() {
			log.Print("circuit is open, waiting")
			time.Sleep(5 * time.Second) // BUG(retry) ALT(deafwait)
			p.failures.Store(0)
			continue
		}
		batch, err := p.queue.Receive(ctx, 10)
		if err != nil {
			p.failures.Add(1)
			continue
		}
		for _, m := range batch {
			if err := p.handle(ctx, m.Body); err != nil {
				p.failures.Add(1)
				continue
			}
			_ = p.queue.Delete(ctx, m.Receipt)
		}
	}
}
