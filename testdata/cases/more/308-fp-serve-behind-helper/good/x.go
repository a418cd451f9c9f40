package api

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

type limits struct {
	header, idle, grace time.Duration
}

var usual = limits{header: 5 * time.Second, idle: 2 * time.Minute, grace: 15 * time.Second}

func (l limits) apply(srv *http.Server) {
	srv.ReadHeaderTimeout = l.header
	srv.IdleTimeout = l.idle
}

// App is an HTTP app with a public and an inner side.
type App struct {
	public http.Handler
	inner  http.Handler
	limits limits
}

// New makes an app.
func New(public, inner http.Handler) *App { return &App{public: public, inner: inner, limits: usual} }

func (a *App) server(ctx context.Context, h http.Handler) *http.Server {
	srv := new(http.Server)
	srv.Handler = h
	srv.BaseContext = func(net.Listener) context.Context { return context.WithoutCancel(ctx) }
	a.limits.apply(srv)
	return srv
}

// Run serves on both listeners until ctx ends.
func (a *App) Run(ctx context.Context, pub, in net.Listener) error {
	g, ctx := errgroup.WithContext(ctx)
	a.serve(ctx, g, pub, a.public)
	a.serve(ctx, g, in, a.inner)
	return g.Wait()
}

func (a *App) serve(ctx context.Context, g *errgroup.Group, l net.Listener, h http.Handler) {
	srv := a.server(ctx, h)
	g.Go(func() error {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	g.Go(func() error {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.Background(), a.limits.grace)
		defer cancel()
		return srv.Shutdown(last)
	})
}
