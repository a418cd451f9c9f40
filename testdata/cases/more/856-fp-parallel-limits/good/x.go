// Package good assembles the customer page of a back office.
package good

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	pageLimit = 9 * time.Second

	profileLimit = 6 * time.Second
	ordersLimit  = 7 * time.Second
	scoreLimit   = 8 * time.Second
)

// Profile, Order and Score are parts of the page.
type (
	Profile struct {
		Name  string `json:"name"`
		Email string `json:"email"`
	}
	Order struct {
		ID    string `json:"id"`
		Cents int64  `json:"cents"`
	}
	Score struct {
		Value  float64 `json:"value"`
		Reason string  `json:"reason"`
	}
)

// Page is the whole answer.
type Page struct {
	Profile Profile `json:"profile"`
	Orders  []Order `json:"orders"`
	Score   *Score  `json:"score,omitempty"`
}

// Backend is one of the services below.
type Backend struct {
	Base   string
	Client *http.Client
}

func lookup[T any](ctx context.Context, b Backend, limit time.Duration, path string) (T, error) {
	var out T
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.Base+path, nil)
	if err != nil {
		return out, err
	}
	resp, err := b.Client.Do(req)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return out, fmt.Errorf("%s: %s", path, resp.Status)
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&out)
	return out, err
}

// Pages answers GET /customers/{id}.
type Pages struct {
	CRM, Shop, Risk Backend
}

func (p *Pages) assemble(ctx context.Context, id string) (*Page, error) {
	ctx, cancel := context.WithTimeout(ctx, pageLimit)
	defer cancel()
	id = url.PathEscape(id)
	var page Page
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		page.Profile, err = lookup[Profile](ctx, p.CRM, profileLimit, "/profiles/"+id)
		return err
	})
	g.Go(func() (err error) {
		page.Orders, err = lookup[[]Order](ctx, p.Shop, ordersLimit, "/orders?customer="+id)
		return err
	})
	g.Go(func() error {
		s, err := lookup[Score](ctx, p.Risk, scoreLimit, "/scores/"+id)
		if err == nil {
			page.Score = &s
		}
		// The page is of use without a score.
		return nil
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return &page, nil
}

// ServeHTTP implements http.Handler.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, err := p.assemble(r.Context(), r.PathValue("id"))
	if err != nil {
		status := http.StatusBadGateway
		if errors.Is(err, context.DeadlineExceeded) {
			status = http.StatusGatewayTimeout
		}
		http.Error(w, err.Error(), status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(page)
}
