package shutdown

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Counter counts what is under way.
type Counter struct{ n atomic.Int64 }

// Begin counts one more; the caller calls what it returns at the end.
func (c *Counter) Begin() func() {
	c.n.Add(1)
	return func() { c.n.Add(-1) }
}

// Drainer waits for what is under way.
type Drainer struct {
	count *Counter
	limit time.Duration
	until int64
}

// NewDrainer waits up to limit.
func NewDrainer(c *Counter, limit time.Duration) *Drainer { return &Drainer{count: c, limit: limit} }

func (d *Drainer) arm() {
	d.until = time.Now().Add(d.limit).Unix() // ALT(wallclock)
}

func (d *Drainer) expired() bool {
	return time.Now().Unix() >= d.until // BUG(wallclock)
}

// Drain returns when nothing is under way, the limit has passed or ctx ends.
func (d *Drainer) Drain(ctx context.Context) error {
	d.arm()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		n := d.count.n.Load()
		if n == 0 {
			return nil
		}
		if d.expired() {
			return fmt.Errorf("%d still under way", n)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
