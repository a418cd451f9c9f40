package tasks

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrTimeout says that the agent gave no answer.
var ErrTimeout = errors.New("agent did not answer")

// Envelope is one message to or from an agent.
type Envelope struct {
	ID   uint64
	Data []byte
}

// Agent is one connected agent.
type Agent struct {
	out     chan<- *Envelope
	timeout time.Duration

	mu      sync.Mutex
	next    uint64
	waiting map[uint64]chan *Envelope
}

// NewAgent writes to out and gives an answer up to timeout.
func NewAgent(out chan<- *Envelope, timeout time.Duration) *Agent {
	return &Agent{out: out, timeout: timeout, waiting: map[uint64]chan *Envelope{}}
}

func (a *Agent) enlist() (uint64, chan *Envelope) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next++
	ch := make(chan *Envelope, 1)
	a.waiting[a.next] = ch
	return a.next, ch
}

func (a *Agent) forget(id uint64) {
	a.mu.Lock()
	delete(a.waiting, id)
	a.mu.Unlock()
}

// Resolve hands an answer to whoever asked.
func (a *Agent) Resolve(e *Envelope) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if ch, ok := a.waiting[e.ID]; ok {
		delete(a.waiting, e.ID)
		ch <- e
	}
}

// Request sends data to the agent and waits for its answer.
func (a *Agent) Request(ctx context.Context, data []byte) ([]byte, error) {
	id, reply := a.enlist()
	defer a.forget(id)
	select {
	case a.out <- &Envelope{ID: id, Data: data}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select { // BUG(fixedtimeout) ALT(deafwait)
	case e := <-reply:
		return e.Data, nil
	case <-time.After(a.timeout): // ALT(fixedtimeout)
		return nil, ErrTimeout
	}
}
