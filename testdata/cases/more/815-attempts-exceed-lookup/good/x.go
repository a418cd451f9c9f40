// Package good looks up exchange rates for invoices.
package good

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

const (
	lookupTimeout = 10 * time.Second

	rateAttempts = 4
	rateTimeout  = 2 * time.Second
	ratePause    = 250 * time.Millisecond
)

var errUnknownCurrency = errors.New("unknown currency")

// Rates is the client of the rate service.
type Rates struct {
	base   string
	client *http.Client
}

// NewRates returns a client of the service at base.
func NewRates(base string, client *http.Client) *Rates {
	return &Rates{base: base, client: client}
}

func (r *Rates) fetch(ctx context.Context, from, to string) (float64, error) {
	u := r.base + "/rate?" + url.Values{"from": {from}, "to": {to}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return 0, err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return 0, errUnknownCurrency
	default:
		return 0, fmt.Errorf("rate service: %s", resp.Status)
	}
	var out struct {
		Rate float64 `json:"rate"`
	}
	err = json.NewDecoder(resp.Body).Decode(&out)
	return out.Rate, err
}

// attempts calls fn until it succeeds, at most n times, each within limit.
func attempts(ctx context.Context, n int, limit, pause time.Duration, fn func(context.Context) error) error {
	var last error
	for i := range n {
		if i > 0 {
			t := time.NewTimer(pause)
			select {
			case <-t.C:
			case <-ctx.Done():
				t.Stop()
				return errors.Join(ctx.Err(), last)
			}
		}
		one, cancel := context.WithTimeout(ctx, limit)
		last = fn(one)
		cancel()
		if last == nil || errors.Is(last, errUnknownCurrency) {
			return last
		}
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), last)
		}
	}
	return last
}

// Rate returns how much of to one unit of from buys.
func (r *Rates) Rate(ctx context.Context, from, to string) (rate float64, err error) {
	err = attempts(ctx, rateAttempts, rateTimeout, ratePause, func(ctx context.Context) error {
		rate, err = r.fetch(ctx, from, to)
		return err
	})
	return rate, err
}

// Invoicer converts amounts.
type Invoicer struct{ Rates *Rates }

// Total answers GET /total?amount=…&from=…&to=….
func (v *Invoicer) Total(w http.ResponseWriter, r *http.Request) {
	var amount float64
	if _, err := fmt.Sscan(r.FormValue("amount"), &amount); err != nil {
		http.Error(w, "amount", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), lookupTimeout)
	defer cancel()
	rate, err := v.Rates.Rate(ctx, r.FormValue("from"), r.FormValue("to"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "%.2f\n", amount*rate)
}
