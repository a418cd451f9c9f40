// Package good lets requests follow the changes of a configuration tree.
package good

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

// Change is one new value.
type Change struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

type watcher struct {
	prefix string
	out    chan Change
}

// Tree holds the configuration.
type Tree struct {
	mu       sync.Mutex
	values   map[string]string
	watchers map[*watcher]struct{}
}

// NewTree returns an empty tree.
func NewTree() *Tree {
	return &Tree{values: map[string]string{}, watchers: map[*watcher]struct{}{}}
}

// Set stores a value and tells those who watch it. A watcher that is behind
// loses its channel.
func (t *Tree) Set(path, value string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.values[path] = value
	for w := range t.watchers {
		if !strings.HasPrefix(path, w.prefix) {
			continue
		}
		select {
		case w.out <- Change{path, value}:
		default:
			t.dropLocked(w)
		}
	}
}

// Watch delivers changes below prefix; the channel is closed when ctx ends.
func (t *Tree) Watch(ctx context.Context, prefix string) <-chan Change {
	w := &watcher{prefix: prefix, out: make(chan Change, 64)}
	t.mu.Lock()
	t.watchers[w] = struct{}{}
	t.mu.Unlock()
	context.AfterFunc(ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.dropLocked(w)
	})
	return w.out
}

func (t *Tree) dropLocked(w *watcher) {
	if _, ok := t.watchers[w]; ok {
		delete(t.watchers, w)
		close(w.out)
	}
}

// Handler streams changes as lines of JSON.
type Handler struct{ tree *Tree }

// NewHandler returns a handler over t.
func NewHandler(t *Tree) *Handler { return &Handler{tree: t} }

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	changes := h.tree.Watch(r.Context(), r.URL.Query().Get("prefix"))
	w.Header().Set("Content-Type", "application/x-ndjson")
	h.stream(w, changes)
}

func (h *Handler) stream(w http.ResponseWriter, changes <-chan Change) {
	enc := json.NewEncoder(w)
	rc := http.NewResponseController(w)
	for c := range changes {
		if enc.Encode(c) != nil || rc.Flush() != nil {
			return
		}
	}
}
