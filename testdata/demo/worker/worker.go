// Package worker does what no customer waits for.
package worker

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"demo.example/store"
)

// Job is work for later. After its deadline it is of no use.
type Job struct {
	Order    int
	Deadline time.Time
}

// Worker does one job at a time. It lives from Start to Stop.
type Worker struct {
	Store *store.Store
	Rates string        // the URL of the exchange rates
	Every time.Duration // how often they are fetched
	Limit time.Duration // for one job; 0 is none, for tests with a debugger

	jobs    chan Job
	asks    chan chan int
	waiting []chan int
	size    int // of the rates

	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
}

// Start starts the worker.
func (w *Worker) Start() {
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.jobs, w.asks, w.done = make(chan Job, 8), make(chan chan int), make(chan struct{})
	go w.loop()
}

// Stop stops the worker and waits for the job at hand.
func (w *Worker) Stop() {
	w.cancel()
	<-w.done
}

// Add adds a job, if there is room before ctx is done.
func (w *Worker) Add(ctx context.Context, job Job) error {
	select {
	case w.jobs <- job:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// RatesSize returns the size of the rates when they have been fetched the next time.
func (w *Worker) RatesSize(ctx context.Context) (int, error) {
	reply := make(chan int, 1)
	select {
	case w.asks <- reply:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	return <-reply, nil
}

func (w *Worker) loop() {
	defer close(w.done)
	tick := time.NewTicker(w.Every)
	defer tick.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case job := <-w.jobs:
			w.handle(job)
		case reply := <-w.asks:
			w.waiting = append(w.waiting, reply)
		case <-tick.C:
			w.refresh()
		}
	}
}

// handle does one job, within the limit if there is one.
func (w *Worker) handle(job Job) {
	ctx := w.ctx
	if w.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.Limit)
		defer cancel()
	}
	if err := w.Store.Delete(ctx, job.Order); err != nil {
		slog.Error("job", "order", job.Order, "err", err)
	}
}

// refresh fetches the rates and answers those who wait for them.
func (w *Worker) refresh() {
	resp, err := http.Get(w.Rates)
	if err != nil {
		slog.Error("rates", "err", err)
		return
	}
	defer resp.Body.Close()
	n, _ := io.Copy(io.Discard, resp.Body)
	w.size = int(n)
	for _, reply := range w.waiting {
		reply <- w.size
	}
	w.waiting = nil
	w.sweep()
}

// sweep takes the order out that only tests use.
func (w *Worker) sweep() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := w.Store.Delete(ctx, 0); err != nil {
		slog.Error("sweep", "err", err)
	}
}
