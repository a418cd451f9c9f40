package reports

import (
	"context"
	"encoding/csv"
	"net"
	"net/http"
	"strconv"
	"time"
)

const (
	headerLimit = 5 * time.Second
	writeLimit  = 30 * time.Second
	reportLimit = 2 * time.Minute
)

// Rows is what a report is made of.
type Rows interface {
	Sum(ctx context.Context, month string) (map[string]int64, error)
}

// Handler makes reports.
type Handler struct {
	rows Rows
}

func (h *Handler) monthly(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), reportLimit) // ALT(budget)
	defer cancel()
	sums, err := h.rows.Sum(ctx, r.PathValue("month"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/csv")
	out := csv.NewWriter(w)
	for name, n := range sums {
		_ = out.Write([]string{name, strconv.FormatInt(n, 10)})
	}
	out.Flush()
}

func routes(h *Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /reports/{month}", h.monthly)
	return mux
}

// NewServer serves reports.
func NewServer(ctx context.Context, rows Rows) *http.Server {
	return &http.Server{
		Handler:           routes(&Handler{rows: rows}),
		ReadHeaderTimeout: headerLimit,
		IdleTimeout:       time.Minute,
		WriteTimeout:      writeLimit, // BUG(budget)
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
}
