package flags

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Flags keeps a copy of remote switches.
type Flags struct {
	url   string
	hc    *http.Client
	every time.Duration
	cur   atomic.Pointer[map[string]bool]
	stop  chan struct{}
	wg    sync.WaitGroup
}

func New(url string) *Flags {
	return &Flags{url: url, hc: new(http.Client), every: 30 * time.Second, stop: make(chan struct{})}
}

// Start returns when the first copy is there; ctx is for this only.
func (f *Flags) Start(ctx context.Context) error {
	if err := f.load(ctx); err != nil {
		return fmt.Errorf("first load: %w", err)
	}
	f.wg.Add(1)
	go f.loop()
	return nil
}

func (f *Flags) loop() {
	defer f.wg.Done()
	t := time.NewTicker(f.every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			f.refresh()
		case <-f.stop:
			return
		}
	}
}

func (f *Flags) refresh() {
	ctx, cancel := context.WithTimeout(context.Background(), f.every/2)
	defer cancel()
	if err := f.load(ctx); err != nil {
		slog.Warn("flags not refreshed", "err", err)
	}
}

func (f *Flags) load(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url, nil)
	if err != nil {
		return err
	}
	resp, err := f.hc.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	m := map[string]bool{}
	if err := json.NewDecoder(resp.Body).Decode(&m); err != nil {
		return err
	}
	f.cur.Store(&m)
	return nil
}

func (f *Flags) On(name string) bool {
	m := f.cur.Load()
	return m != nil && (*m)[name]
}

func (f *Flags) Stop() {
	close(f.stop)
	f.wg.Wait()
}
