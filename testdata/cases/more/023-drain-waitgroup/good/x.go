package scanctl

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Scanner scans one image; it may take minutes.
type Scanner interface {
	Scan(image string) error
}

type Controller struct {
	sc     Scanner
	jobs   chan string
	wg     sync.WaitGroup
	mu     sync.Mutex
	closed bool
}

func NewController(sc Scanner, workers int) *Controller {
	c := &Controller{sc: sc, jobs: make(chan string, 128)}
	for i := 0; i < workers; i++ {
		c.wg.Add(1)
		go c.work()
	}
	return c
}

func (c *Controller) work() {
	defer c.wg.Done()
	for img := range c.jobs {
		if err := c.sc.Scan(img); err != nil {
			slog.Error("scan", "image", img, "err", err)
		}
	}
}

func (c *Controller) Submit(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		http.Error(w, "stopping", http.StatusServiceUnavailable)
		return
	}
	select {
	case c.jobs <- r.FormValue("image"):
		w.WriteHeader(http.StatusAccepted)
	default:
		http.Error(w, "busy", http.StatusTooManyRequests)
	}
}

// Shutdown stops taking jobs and drains the pool.
func (c *Controller) Shutdown(ctx context.Context) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return errors.New("already stopped")
	}
	c.closed = true
	close(c.jobs)
	c.mu.Unlock()
	began := time.Now()
	drained := make(chan struct{})
	go func() {
		c.wg.Wait()
		close(drained)
	}()
	select {
	case <-drained:
	case <-ctx.Done():
		slog.WarnContext(ctx, "leaving scans behind", "after", time.Since(began))
		return ctx.Err()
	}
	slog.InfoContext(ctx, "drained", "took", time.Since(began))
	return nil
}
