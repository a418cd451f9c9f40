package web

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"time"
)

type config struct {
	addr string
	tls  *tls.Config
	idle time.Duration
	errs *slog.Logger
}

type Option func(*config)

func WithTLS(c *tls.Config) Option { return func(o *config) { o.tls = c } }

func WithIdle(d time.Duration) Option { return func(o *config) { o.idle = d } }

// Server is the application's endpoint.
type Server struct {
	cfg  config
	http *http.Server
	base context.Context
}

func NewServer(base context.Context, addr string, h http.Handler, opts ...Option) *Server {
	s := &Server{base: base, cfg: config{addr: addr, errs: slog.Default()}}
	for _, o := range opts {
		o(&s.cfg)
	}
	s.http = &http.Server{
		Handler:           h,
		TLSConfig:         s.cfg.tls,
		IdleTimeout:       s.cfg.idle,
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          slog.NewLogLogger(s.cfg.errs.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return s.base },
	}
	return s
}

// ListenAndServe blocks until the listener fails or Close is called.
func (s *Server) ListenAndServe() error {
	l, err := net.Listen("tcp", s.cfg.addr)
	if err != nil {
		return err
	}
	if s.cfg.tls != nil {
		l = tls.NewListener(l, s.cfg.tls)
	}
	return s.http.Serve(l)
}

func (s *Server) Close(ctx context.Context) error { return s.http.Shutdown(ctx) }
