// Package good answers label queries that span several tenants.
package good

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const tenantHeader = "X-Scope-OrgID"

type tenantKey struct{}

// WithTenant returns a context that carries the tenant's name.
func WithTenant(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, tenantKey{}, id)
}

// Tenant returns the name that WithTenant has put into ctx.
func Tenant(ctx context.Context) (string, error) {
	id, ok := ctx.Value(tenantKey{}).(string)
	if !ok || id == "" {
		return "", errors.New("no tenant")
	}
	return id, nil
}

// eachTenant calls fn for every tenant at once and keeps the tenants' order.
func eachTenant[T any](ctx context.Context, ids []string, fn func(context.Context) (T, error)) ([]T, error) {
	results := make([]T, len(ids))
	g, gctx := errgroup.WithContext(ctx)
	for i, id := range ids {
		g.Go(func() error {
			if err := gctx.Err(); err != nil {
				return err
			}
			v, err := fn(WithTenant(gctx, id))
			if err != nil {
				return fmt.Errorf("tenant %s: %w", id, err)
			}
			results[i] = v
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return results, nil
}

// Store is the remote index of one cluster.
type Store struct {
	Base   string
	Client *http.Client
}

// Labels returns the label names of the tenant in ctx.
func (s *Store) Labels(ctx context.Context, match string) ([]string, error) {
	id, err := Tenant(ctx)
	if err != nil {
		return nil, err
	}
	u := s.Base + "/labels?" + url.Values{"match": {match}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set(tenantHeader, id)
	resp, err := s.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("store: %s", resp.Status)
	}
	var names []string
	err = json.NewDecoder(resp.Body).Decode(&names)
	return names, err
}

// Querier merges what the tenants' indexes say.
type Querier struct {
	Store *Store
	Limit time.Duration
}

// Labels returns the union of the tenants' label names.
func (q *Querier) Labels(ctx context.Context, tenants []string, match string) ([]string, error) {
	lists, err := eachTenant(ctx, tenants, func(ctx context.Context) ([]string, error) {
		return q.Store.Labels(ctx, match)
	})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all), nil
}

// ServeHTTP answers GET /labels.
func (q *Querier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), q.Limit)
	defer cancel()
	tenants := strings.Split(r.Header.Get(tenantHeader), "|")
	names, err := q.Labels(ctx, tenants, r.FormValue("match"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(names)
}
