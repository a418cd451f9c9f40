package rekorlog

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

type pacer struct {
	mu   sync.Mutex
	next time.Time
	gap  time.Duration
}

func (p *pacer) reserve(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next.Before(now) {
		p.next = now
	}
	d := p.next.Sub(now)
	p.next = p.next.Add(p.gap)
	return d
}

func (p *pacer) take(ctx context.Context) error {
	d := p.reserve(time.Now())
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// Log uploads entries at a fixed pace.
type Log struct {
	url  string
	pace *pacer
	hc   *http.Client
}

func New(url string, perMinute int) *Log {
	return &Log{
		url:  url,
		pace: &pacer{gap: time.Minute / time.Duration(perMinute)},
		hc:   &http.Client{Timeout: 30 * time.Second},
	}
}

func (l *Log) Upload(ctx context.Context, entries ...[]byte) error {
	for i, e := range entries {
		if err := l.pace.take(ctx); err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, bytes.NewReader(e))
		if err != nil {
			return err
		}
		resp, err := l.hc.Do(req)
		if err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		resp.Body.Close()
	}
	return nil
}
