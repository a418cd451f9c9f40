package probe

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

type Spec struct {
	URL     string
	Every   time.Duration
	Timeout time.Duration
}

type Result struct {
	URL string
	Err error
	At  time.Time
}

type Prober struct {
	client  *http.Client
	results chan<- Result
	quit    chan struct{}
	wg      sync.WaitGroup
}

func New(results chan<- Result) *Prober {
	return &Prober{
		client:  &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		results: results,
		quit:    make(chan struct{}),
	}
}

// Add starts a worker for the spec.
func (p *Prober) Add(s Spec) {
	if s.Timeout <= 0 {
		s.Timeout = time.Second
	}
	p.wg.Add(1)
	go p.worker(s)
}

func (p *Prober) worker(s Spec) {
	defer p.wg.Done()
	t := time.NewTicker(s.Every)
	defer t.Stop()
	for {
		r := Result{URL: s.URL, Err: p.once(s), At: time.Now().UTC()}
		select {
		case p.results <- r:
		case <-p.quit:
			return
		}
		select {
		case <-t.C:
		case <-p.quit:
			return
		}
	}
}

func (p *Prober) once(s Spec) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return err
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}

func (p *Prober) Stop() {
	close(p.quit)
	p.wg.Wait()
}
