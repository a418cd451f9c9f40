package dnscheck

import (
	"context"
	"fmt"
	"net"
	"time"
)

type found struct {
	addrs []string
	err   error
}

// Check resolves a set of names.
type Check struct {
	names []string
	limit time.Duration
}

func New(limit time.Duration, names ...string) *Check {
	return &Check{names: names, limit: limit}
}

// Run resolves all names in turn.
func (c *Check) Run(ctx context.Context) error {
	for _, n := range c.names {
		cctx, cancel := context.WithTimeout(ctx, c.limit)
		addrs, err := c.resolve(cctx, n)
		cancel()
		if err != nil {
			return fmt.Errorf("resolve %s: %w", n, err)
		}
		if len(addrs) == 0 {
			return fmt.Errorf("%s: no addresses", n)
		}
	}
	return nil
}

func (c *Check) resolve(ctx context.Context, name string) ([]string, error) {
	var f found
	f.addrs, f.err = net.DefaultResolver.LookupHost(ctx, name)
	return f.addrs, f.err
}
