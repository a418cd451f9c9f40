// Package bad answers price requests from a table that is loaded in the
// background.
package bad

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// ErrUnknown is returned for an article without a price.
var ErrUnknown = errors.New("no such article")

// latch holds a value that is there once it has been set for the first time.
type latch[T any] struct {
	mu    sync.Mutex
	once  sync.Once
	ready chan struct{}
	value T
}

func newLatch[T any]() *latch[T] { return &latch[T]{ready: make(chan struct{})} }

func (l *latch[T]) set(v T) {
	l.mu.Lock()
	l.value = v
	l.mu.Unlock()
	l.once.Do(func() { close(l.ready) })
}

func (l *latch[T]) get() T {
	<-l.ready // ALSO(deafwait)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value
}

// Source loads the whole table.
type Source interface {
	Prices(ctx context.Context) (map[string]int64, error)
}

// Catalog keeps the table.
type Catalog struct {
	src   Source
	table *latch[map[string]int64]
}

// NewCatalog returns a catalog that Run fills.
func NewCatalog(src Source) *Catalog {
	return &Catalog{src: src, table: newLatch[map[string]int64]()}
}

// Run refreshes the table until ctx ends.
func (c *Catalog) Run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if err := c.load(ctx, every); err != nil {
			slog.WarnContext(ctx, "prices not loaded", "err", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (c *Catalog) load(ctx context.Context, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	t, err := c.src.Prices(ctx)
	if err == nil {
		c.table.set(t)
	}
	return err
}

// Price looks an article up.
func (c *Catalog) Price(sku string) (int64, error) {
	p, ok := c.table.get()[sku] // ALSO(deafwait)
	if !ok {
		return 0, ErrUnknown
	}
	return p, nil
}

// Handler serves prices.
type Handler struct{ catalog *Catalog }

// NewHandler returns a handler over c.
func NewHandler(c *Catalog) *Handler { return &Handler{catalog: c} }

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sum, err := h.total(r.Context(), r.URL.Query()["sku"])
	switch {
	case errors.Is(err, ErrUnknown):
		http.Error(w, err.Error(), http.StatusNotFound)
	case err != nil:
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	default:
		_ = json.NewEncoder(w).Encode(map[string]int64{"cents": sum})
	}
}

func (h *Handler) total(ctx context.Context, skus []string) (int64, error) {
	var sum int64
	for _, sku := range skus {
		p, err := h.catalog.Price(sku) // BUG(deafwait)
		if err != nil {
			return 0, err
		}
		sum += p
	}
	return sum, ctx.Err()
}
