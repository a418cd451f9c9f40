package health

import (
	"context"
	"fmt"
	"sync"
	"time"

	"gorm.io/gorm"
)

// Store reads what the checks need.
type Store struct {
	db *gorm.DB
}

type tableStats struct {
	Rows  int64
	Bytes int64
}

// Stats sums up the tables.
func (s *Store) Stats(ctx context.Context) (tableStats, error) {
	var st tableStats
	if s.db == nil {
		return st, fmt.Errorf("store closed")
	}
	if err := s.count(ctx, &st); err != nil {
		return st, fmt.Errorf("count: %w", err)
	}
	return st, nil
}

func (s *Store) count(ctx context.Context, st *tableStats) error {
	row := s.db.Raw("SELECT count(*), coalesce(sum(size), 0) FROM detections").Row() // BUG(noctx)
	return row.Scan(&st.Rows, &st.Bytes)
}

// Check is one probe.
type Check struct {
	Name string
	Run  func(ctx context.Context) error
}

// Registry runs probes, each under the same limit.
type Registry struct {
	mu     sync.Mutex
	checks []Check
	limit  time.Duration
}

func NewRegistry(st *Store, limit time.Duration) *Registry {
	r := &Registry{limit: limit}
	r.Add(Check{Name: "stats", Run: func(ctx context.Context) error {
		v, err := st.Stats(ctx)
		if err == nil && v.Rows < 0 {
			err = fmt.Errorf("negative row count")
		}
		return err
	}})
	return r
}

func (r *Registry) Add(c Check) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checks = append(r.checks, c)
}

func (r *Registry) RunAll(ctx context.Context) map[string]error {
	r.mu.Lock()
	list := append([]Check(nil), r.checks...)
	r.mu.Unlock()
	out := make(map[string]error, len(list))
	for _, c := range list {
		cctx, cancel := context.WithTimeout(ctx, r.limit)
		out[c.Name] = c.Run(cctx)
		cancel()
	}
	return out
}
