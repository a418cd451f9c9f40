package admin

import (
	"context"
	"encoding/json"
	"net/http"
	"sort"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Bucket is the object store of blocks.
type Bucket interface {
	Tenants(ctx context.Context) ([]string, error)
	Blocks(ctx context.Context, tenant string) (int, error)
}

// Row is one line of the page.
type Row struct {
	Tenant string
	Blocks int
}

// Page shows how much every tenant keeps.
type Page struct {
	bkt   Bucket
	limit int
}

// NewPage looks at up to limit tenants at once.
func NewPage(bkt Bucket, limit int) *Page { return &Page{bkt: bkt, limit: limit} }

func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	tenants, err := p.bkt.Tenants(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	g, ctx := errgroup.WithContext(r.Context())
	g.SetLimit(p.limit)
	var mu sync.Mutex
	var rows []Row
	for _, t := range tenants {
		g.Go(func() error {
			row, err := p.row(ctx, t)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			rows = append(rows, row)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].Tenant < rows[j].Tenant })
	_ = json.NewEncoder(w).Encode(rows)
}

func (p *Page) row(ctx context.Context, tenant string) (Row, error) {
	n, err := p.bkt.Blocks(ctx, tenant)
	return Row{Tenant: tenant, Blocks: n}, err
}
