// Package good finds the members of a service by SRV records.
package good

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type lookupFunc func(ctx context.Context, service, proto, name string) (string, []*net.SRV, error)

type cached struct {
	addrs []string
	until time.Time
}

// Resolver remembers answers for a while.
type Resolver struct {
	ttl    time.Duration
	lookup lookupFunc

	mu    sync.Mutex
	known map[string]cached
}

// NewResolver returns a resolver that uses the system's name servers.
func NewResolver(ttl time.Duration) *Resolver {
	return &Resolver{
		ttl:    ttl,
		lookup: net.DefaultResolver.LookupSRV,
		known:  make(map[string]cached),
	}
}

// Resolve returns the addresses of name, best priority first.
func (r *Resolver) Resolve(ctx context.Context, name string) ([]string, error) {
	if addrs, ok := r.recall(name); ok {
		return addrs, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	_, records, err := r.lookup(ctx, "http", "tcp", name)
	if err != nil {
		var dnsErr *net.DNSError
		if errors.As(err, &dnsErr) && dnsErr.IsNotFound {
			return nil, fmt.Errorf("no members of %s", name)
		}
		return nil, err
	}
	slices.SortStableFunc(records, func(a, b *net.SRV) int {
		return int(a.Priority) - int(b.Priority)
	})
	addrs := make([]string, 0, len(records))
	for _, rec := range records {
		host := strings.TrimSuffix(rec.Target, ".")
		addrs = append(addrs, net.JoinHostPort(host, strconv.Itoa(int(rec.Port))))
	}
	r.remember(name, addrs)
	return addrs, nil
}

func (r *Resolver) recall(name string) ([]string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, ok := r.known[name]
	if !ok || time.Now().After(c.until) {
		return nil, false
	}
	return c.addrs, true
}

func (r *Resolver) remember(name string, addrs []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known[name] = cached{addrs: addrs, until: time.Now().Add(r.ttl)}
}

type targetKey struct{}

// Gateway forwards each request to a member of the service in its host name.
type Gateway struct {
	resolver *Resolver
	limit    time.Duration
	proxy    *httputil.ReverseProxy
}

// NewGateway returns a gateway over r.
func NewGateway(r *Resolver, limit time.Duration) *Gateway {
	return &Gateway{resolver: r, limit: limit, proxy: &httputil.ReverseProxy{
		Rewrite: func(pr *httputil.ProxyRequest) {
			pr.SetURL(pr.In.Context().Value(targetKey{}).(*url.URL))
			pr.SetXForwarded()
		},
	}}
}

// ServeHTTP implements http.Handler.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), g.limit)
	defer cancel()
	addrs, err := g.resolver.Resolve(ctx, r.Host)
	if err != nil || len(addrs) == 0 {
		http.Error(w, "no upstream", http.StatusBadGateway)
		return
	}
	target := &url.URL{Scheme: "http", Host: addrs[rand.IntN(len(addrs))]}
	g.proxy.ServeHTTP(w, r.WithContext(context.WithValue(ctx, targetKey{}, target)))
}
