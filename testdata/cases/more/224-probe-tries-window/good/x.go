package probes

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

const (
	tries     = 4
	tryLimit  = 3 * time.Second
	tryPause  = time.Second
	sumLimit  = tries * (tryLimit + tryPause)
	userAgent = "probe/1"
)

// Target is what is probed.
type Target struct {
	Name string
	URL  string
}

// Prober looks whether targets answer.
type Prober struct {
	hc *http.Client
}

// New probes through hc.
func New(hc *http.Client) *Prober { return &Prober{hc: hc} }

// Probe looks at a target up to four times.
func (p *Prober) Probe(ctx context.Context, t Target) error {
	ctx, cancel := context.WithTimeout(ctx, sumLimit)
	defer cancel()
	var last error
	for n := 0; n < tries; n++ {
		if last = p.once(ctx, t); last == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: try %d: %w", t.Name, n+1, last)
		case <-time.After(tryPause):
		}
	}
	return fmt.Errorf("%s: all tries failed: %w", t.Name, last)
}

func (p *Prober) once(ctx context.Context, t Target) error {
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.URL, nil)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", userAgent)
	res, err := p.hc.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= 500 {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	return nil
}
