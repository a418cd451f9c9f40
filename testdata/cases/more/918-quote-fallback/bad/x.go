// Package bad answers requests for exchange rates, from a slow source or, if
// that takes too long, from the rates of the day before.
package bad

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Rate is the price of one currency in another.
type Rate struct {
	Pair  string    `json:"pair"`
	Value float64   `json:"value"`
	At    time.Time `json:"at"`
}

// Market asks the exchanges.
type Market interface {
	Rate(ctx context.Context, pair string) (Rate, error)
}

// Archive is the database of closing rates.
type Archive interface {
	LastClose(ctx context.Context, pair string) (Rate, error)
}

// within runs f for no longer than d.
func within[T any](ctx context.Context, d time.Duration, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return f(ctx)
}

// Service finds rates.
type Service struct {
	market   Market
	archive  Archive
	patience time.Duration
}

// NewService returns a service that waits for the market for a moment only.
func NewService(m Market, a Archive) *Service {
	return &Service{market: m, archive: a, patience: 400 * time.Millisecond}
}

// Rate returns the present rate, or yesterday's.
func (s *Service) Rate(ctx context.Context, pair string) (Rate, error) {
	return within(ctx, s.patience, func(ctx context.Context) (Rate, error) {
		r, err := s.market.Rate(ctx, pair)
		if errors.Is(err, context.DeadlineExceeded) {
			return s.closing(ctx, pair) // BUG(stalework)
		}
		return r, err
	})
}

func (s *Service) closing(ctx context.Context, pair string) (Rate, error) {
	r, err := s.archive.LastClose(ctx, pair) // ALSO(stalework)
	if err != nil {
		return Rate{}, fmt.Errorf("closing rate of %s: %w", pair, err)
	}
	return r, nil
}

// ServeHTTP implements http.Handler.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rate, err := s.Rate(r.Context(), r.PathValue("pair"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(rate)
}
