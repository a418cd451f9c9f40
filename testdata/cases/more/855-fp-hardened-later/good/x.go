// Package good runs the public, the admin and the metrics endpoint of a node.
package good

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

// Limits are the read limits of all endpoints; zero values have defaults.
type Limits struct {
	Header time.Duration
	Body   time.Duration
	Idle   time.Duration
	Stop   time.Duration
}

func (l Limits) apply(srv *http.Server) {
	srv.ReadHeaderTimeout = cmp.Or(l.Header, 5*time.Second)
	srv.ReadTimeout = cmp.Or(l.Body, 30*time.Second)
	srv.IdleTimeout = cmp.Or(l.Idle, 2*time.Minute)
	srv.MaxHeaderBytes = 64 << 10
}

// Endpoint is one address with its handler.
type Endpoint struct {
	Name    string
	Addr    string
	Handler http.Handler
	TLS     *tls.Config
}

type bound struct {
	name string
	srv  *http.Server
	ln   net.Listener
}

// Node holds the endpoints of one process.
type Node struct {
	limits    Limits
	endpoints []Endpoint
}

// New returns a node; nothing listens before Run.
func New(l Limits, endpoints ...Endpoint) *Node {
	return &Node{limits: l, endpoints: endpoints}
}

func compose(e Endpoint) *http.Server {
	srv := &http.Server{Addr: e.Addr, Handler: e.Handler}
	if e.TLS != nil {
		srv.TLSConfig = e.TLS.Clone()
	}
	return srv
}

func (n *Node) listen(ctx context.Context) ([]bound, error) {
	var all []bound
	var lc net.ListenConfig
	for _, e := range n.endpoints {
		srv := compose(e)
		n.limits.apply(srv)
		ln, err := lc.Listen(ctx, "tcp", srv.Addr)
		if err != nil {
			for _, b := range all {
				b.ln.Close()
			}
			return nil, fmt.Errorf("endpoint %s: %w", e.Name, err)
		}
		if srv.TLSConfig != nil {
			ln = tls.NewListener(ln, srv.TLSConfig)
		}
		all = append(all, bound{name: e.Name, srv: srv, ln: ln})
	}
	return all, nil
}

// Run serves all endpoints until ctx ends or one of them fails.
func (n *Node) Run(ctx context.Context) error {
	all, err := n.listen(ctx)
	if err != nil {
		return err
	}
	g, gctx := errgroup.WithContext(ctx)
	for _, b := range all {
		g.Go(func() error {
			if err := b.srv.Serve(b.ln); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("endpoint %s: %w", b.name, err)
			}
			return nil
		})
		g.Go(func() error {
			<-gctx.Done()
			return n.halt(b)
		})
	}
	return g.Wait()
}

// halt drains one endpoint; all of them are drained at the same time.
func (n *Node) halt(b bound) error {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(n.limits.Stop, 10*time.Second))
	defer cancel()
	if err := b.srv.Shutdown(ctx); err != nil {
		return fmt.Errorf("endpoint %s: %w", b.name, errors.Join(err, b.srv.Close()))
	}
	return nil
}
