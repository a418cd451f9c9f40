package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

var ErrNoAnswer = errors.New("no answer")

type Message struct {
	ID, Group, Body string
}

type link interface {
	Write(ctx context.Context, m Message) error
}

// Caller matches answers to calls.
type Caller struct {
	l       link
	seq     atomic.Int64
	mu      sync.Mutex
	waiting map[string]chan Message
	limit   time.Duration
}

func NewCaller(l link) *Caller {
	return &Caller{l: l, waiting: map[string]chan Message{}, limit: 30 * time.Second}
}

// Deliver is called by the reader for each answer.
func (c *Caller) Deliver(m Message) {
	c.mu.Lock()
	ch := c.waiting[m.ID]
	delete(c.waiting, m.ID)
	c.mu.Unlock()
	if ch != nil {
		ch <- m
	}
}

func (c *Caller) forget(id string) {
	c.mu.Lock()
	delete(c.waiting, id)
	c.mu.Unlock()
}

// Call sends body to group and returns the answer.
func (c *Caller) Call(ctx context.Context, group, body string) (Message, error) {
	m := Message{ID: strconv.FormatInt(c.seq.Add(1), 36), Group: group, Body: body}
	ch := make(chan Message, 1)
	c.mu.Lock()
	c.waiting[m.ID] = ch
	c.mu.Unlock()
	defer c.forget(m.ID)
	if err := c.l.Write(ctx, m); err != nil {
		return Message{}, fmt.Errorf("send to %s: %w", group, err)
	}
	t := time.NewTimer(c.limit)
	defer t.Stop()
	select {
	case a := <-ch:
		return a, nil
	case <-ctx.Done():
		return Message{}, ctx.Err()
	case <-t.C:
		return Message{}, fmt.Errorf("%s: %w", group, ErrNoAnswer)
	}
}
