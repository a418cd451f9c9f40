package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"
)

const timeoutHeader = "X-Request-Timeout-Ms"

// Backend answers calls.
type Backend interface {
	Invoke(ctx context.Context, method string, in json.RawMessage) (json.RawMessage, error)
}

type Gateway struct {
	be Backend
}

func New(be Backend) *Gateway { return &Gateway{be: be} }

func parseTimeout(h http.Header) (time.Duration, error) {
	v := h.Get(timeoutHeader)
	if v == "" {
		return 0, nil
	}
	ms, err := strconv.ParseInt(v, 10, 64)
	if err != nil || ms <= 0 {
		return 0, fmt.Errorf("bad %s %q", timeoutHeader, v)
	}
	return time.Duration(ms) * time.Millisecond, nil
}

func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	limit, err := parseTimeout(r.Header) // ALT(wire)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var in json.RawMessage
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx := r.Context()
	slog.InfoContext(ctx, "call", "method", r.URL.Path, "limit", limit)
	out, err := g.be.Invoke(ctx, r.URL.Path, in) // BUG(wire)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Write(out)
}
