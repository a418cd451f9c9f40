package orders

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Order struct {
	ID    int64  `json:"id"`
	State string `json:"state"`
}

// Service answers questions about orders.
type Service struct {
	ctx  context.Context
	pool *pgxpool.Pool
}

func Open(ctx context.Context, dsn string) (*Service, error) {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		return nil, err
	}
	return &Service{ctx: ctx, pool: pool}, nil
}

func (s *Service) get(ctx context.Context, id string) (*Order, error) {
	var o Order
	err := s.pool.QueryRow(ctx, `SELECT id, state FROM orders WHERE id = $1`, id).Scan(&o.ID, &o.State)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return &o, err
}

func (s *Service) show(w http.ResponseWriter, r *http.Request) {
	o, err := s.get(s.ctx, r.PathValue("id")) // BUG(detached) ALT(unbounded)
	if err != nil {
		slog.ErrorContext(r.Context(), "get order", "err", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	if o == nil {
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(o)
}

func (s *Service) Routes(mux *http.ServeMux) { mux.HandleFunc("GET /orders/{id}", s.show) }
