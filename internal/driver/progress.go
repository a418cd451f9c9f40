package driver

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// quiet is how long a run may take before it says how far it is.
const quiet = 2 * time.Second

// progress is a line on a terminal that says how far the run is.
type progress struct {
	w     io.Writer // nil: say nothing
	total int
	count atomic.Int64
	quit  chan struct{}
	wg    sync.WaitGroup
}

func startProgress(w io.Writer, total int) *progress {
	p := &progress{w: w, total: total, quit: make(chan struct{})}
	if w != nil {
		p.wg.Go(p.show)
	}
	return p
}

func (p *progress) done() { p.count.Add(1) }

func (p *progress) stop() {
	close(p.quit)
	p.wg.Wait()
}

func (p *progress) show() {
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	shown := false
	for {
		select {
		case <-timer.C:
			fmt.Fprintf(p.w, "\rdoneby: %d of %d packages", p.count.Load(), p.total)
			shown = true
			timer.Reset(quiet / 10)
		case <-p.quit:
			if shown {
				fmt.Fprint(p.w, "\r\x1b[K")
			}
			return
		}
	}
}
