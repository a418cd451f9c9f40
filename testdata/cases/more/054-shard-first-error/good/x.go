package shards

import (
	"context"
	"fmt"
	"sort"
)

// Shard answers a query for its part.
type Shard interface {
	Query(ctx context.Context, q string) ([]string, error)
}

type part struct {
	rows []string
	err  error
}

type Cluster struct {
	shards []Shard
}

func New(s ...Shard) *Cluster { return &Cluster{shards: s} }

func (c *Cluster) scatter(ctx context.Context, q string) <-chan part {
	parts := make(chan part, len(c.shards))
	for _, s := range c.shards {
		go func() {
			rows, err := s.Query(ctx, q)
			parts <- part{rows, err}
		}()
	}
	return parts
}

// Query asks all shards and merges their rows.
func (c *Cluster) Query(ctx context.Context, q string) ([]string, error) {
	parts := c.scatter(ctx, q)
	var all []string
	for range c.shards {
		p := <-parts
		if p.err != nil {
			return nil, fmt.Errorf("query: %w", p.err)
		}
		all = append(all, p.rows...)
	}
	sort.Strings(all)
	return all, nil
}
