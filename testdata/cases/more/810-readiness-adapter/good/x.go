// Package good reports whether the service can take requests.
package good

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"
)

// Check returns nil while what it looks at is usable.
type Check func(ctx context.Context) error

// plain makes a Check of a function without a context.
func plain(fn func() error) Check {
	return func(ctx context.Context) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return fn()
	}
}

type entry struct {
	name  string
	check Check
}

// Registry runs its checks one after the other within one limit.
type Registry struct {
	limit   time.Duration
	entries []entry
}

// NewRegistry returns an empty registry.
func NewRegistry(limit time.Duration) *Registry { return &Registry{limit: limit} }

// Add appends a check; it is not for use after the server has started.
func (g *Registry) Add(name string, c Check) {
	g.entries = append(g.entries, entry{name: name, check: c})
}

func (g *Registry) run(ctx context.Context) map[string]string {
	failed := make(map[string]string)
	for _, e := range g.entries {
		if err := e.check(ctx); err != nil {
			failed[e.name] = err.Error()
		}
	}
	return failed
}

// ServeHTTP answers the orchestrator's probe.
func (g *Registry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), g.limit)
	defer cancel()
	failed := g.run(ctx)
	w.Header().Set("Content-Type", "application/json")
	if len(failed) > 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(failed)
}

// Spool is the directory in which uploads wait.
type Spool struct {
	Dir     string
	MinFree uint64
	Paused  atomic.Bool
}

// Usable reports an error if uploads cannot be taken.
func (s *Spool) Usable() error {
	if s.Paused.Load() {
		return errors.New("paused by operator")
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(s.Dir, &fs); err != nil {
		return err
	}
	if free := fs.Bavail * uint64(fs.Bsize); free < s.MinFree {
		return fmt.Errorf("%d bytes free", free)
	}
	return nil
}

// Readiness returns the checks of this service.
func Readiness(db *sql.DB, broker string, spool *Spool) *Registry {
	g := NewRegistry(3 * time.Second)
	g.Add("spool", plain(spool.Usable))
	g.Add("postgres", db.PingContext)
	g.Add("broker", func(ctx context.Context) error {
		var d net.Dialer
		c, err := d.DialContext(ctx, "tcp", broker)
		if err != nil {
			return err
		}
		return c.Close()
	})
	return g
}
