package counter

import (
	"context"
	"errors"
	"sync"
)

var ErrStopped = errors.New("stopped")

type op struct {
	name  string
	delta int64
	reply chan int64
}

// Counters is owned by one goroutine.
type Counters struct {
	ops  chan op
	quit chan struct{}
	done chan struct{}
	once sync.Once
}

func Start() *Counters {
	c := &Counters{ops: make(chan op), quit: make(chan struct{}), done: make(chan struct{})}
	go c.loop()
	return c
}

func (c *Counters) loop() {
	defer close(c.done)
	vals := map[string]int64{}
	for {
		select {
		case o := <-c.ops:
			vals[o.name] += o.delta
			o.reply <- vals[o.name]
		case <-c.quit:
			return
		}
	}
}

// Add changes a counter and returns its new value.
func (c *Counters) Add(ctx context.Context, name string, delta int64) (int64, error) {
	o := op{name, delta, make(chan int64, 1)}
	select {
	case c.ops <- o:
	case <-c.done:
		return 0, ErrStopped
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	// the loop has taken the op and answers at once
	return <-o.reply, nil
}

func (c *Counters) Stop() {
	c.once.Do(func() { close(c.quit) })
	<-c.done
}
