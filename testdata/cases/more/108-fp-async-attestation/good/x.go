package entries

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Index and Blobs are remote.
type Index interface {
	Add(ctx context.Context, key, id string) error
}

type Blobs interface {
	Put(ctx context.Context, id string, b []byte) error
}

type API struct {
	idx   Index
	blobs Blobs
	bg    sync.WaitGroup
}

func (a *API) async(ctx context.Context, what string, fn func(context.Context) error) {
	ctx = context.WithoutCancel(ctx)
	a.bg.Add(1)
	go func() {
		defer a.bg.Done()
		ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
		defer cancel()
		if err := fn(ctx); err != nil {
			slog.ErrorContext(ctx, "background task", "what", what, "err", err)
		}
	}()
}

func (a *API) Create(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ID   string          `json:"id"`
		Keys []string        `json:"keys"`
		Body json.RawMessage `json:"body"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	a.async(r.Context(), "index", func(ctx context.Context) error {
		for _, k := range in.Keys {
			if err := a.idx.Add(ctx, k, in.ID); err != nil {
				return err
			}
		}
		return nil
	})
	a.async(r.Context(), "blob", func(ctx context.Context) error { return a.blobs.Put(ctx, in.ID, in.Body) })
	w.WriteHeader(http.StatusAccepted)
}

// Shutdown waits for the background tasks, which all end by themselves.
func (a *API) Shutdown() { a.bg.Wait() }
