// Package deliver sends webhook calls and repeats the failed ones later.
package deliver

import (
	"bytes"
	"container/heap"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// Call is one call; after Deadline its receiver refuses it.
type Call struct {
	URL      string
	Body     []byte
	Deadline time.Time

	tries int
	next  time.Time
}

type calls []*Call

func (c calls) Len() int           { return len(c) }
func (c calls) Less(i, j int) bool { return c[i].next.Before(c[j].next) }
func (c calls) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *calls) Push(x any)        { *c = append(*c, x.(*Call)) }
func (c *calls) Pop() any {
	old := *c
	x := old[len(old)-1]
	*c = old[:len(old)-1]
	return x
}

// Deliverer owns the calls that wait.
type Deliverer struct {
	hc   *http.Client
	in   chan *Call
	wait calls
}

func New() *Deliverer {
	return &Deliverer{hc: &http.Client{Timeout: 10 * time.Second}, in: make(chan *Call, 64)}
}

// Enqueue hands a call over.
func (d *Deliverer) Enqueue(ctx context.Context, c *Call) error {
	select {
	case d.in <- c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run sends calls until ctx ends.
func (d *Deliverer) Run(ctx context.Context) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-d.in:
			heap.Push(&d.wait, c)
		case now := <-tick.C:
			for len(d.wait) > 0 && !d.wait[0].next.After(now) {
				d.try(ctx, heap.Pop(&d.wait).(*Call)) // ALT(stalework)
			}
		}
	}
}

func (d *Deliverer) try(ctx context.Context, c *Call) {
	err := d.post(ctx, c) // BUG(stalework)
	if err == nil {
		return
	}
	c.tries++
	c.next = time.Now().Add(time.Second << min(c.tries, 8))
	slog.Info("call failed", "url", c.URL, "err", err, "next", c.next)
	heap.Push(&d.wait, c) // ALT(stalework)
}

func (d *Deliverer) post(ctx context.Context, c *Call) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(c.Body))
	if err != nil {
		return err
	}
	req.Header.Set("X-Deliver-Before", c.Deadline.UTC().Format(time.RFC3339))
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}
