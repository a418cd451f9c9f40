package svc

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"
)

const (
	graceful    = 25 * time.Second
	httpPhase   = 5 * time.Second
	workerPhase = 18 * time.Second
)

// Pool finishes the jobs it has.
type Pool interface {
	Drain(ctx context.Context) error
}

type Service struct {
	srv  *http.Server
	pool Pool
	quit chan struct{}
}

func New(h http.Handler, p Pool) *Service {
	return &Service{
		srv:  &http.Server{Addr: ":8443", Handler: h, ReadHeaderTimeout: 5 * time.Second},
		pool: p,
		quit: make(chan struct{}),
	}
}

func (s *Service) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), graceful)
	defer cancel()

	hctx, hcancel := context.WithTimeout(ctx, httpPhase)
	herr := s.srv.Shutdown(hctx)
	hcancel()
	if herr != nil {
		slog.Warn("http did not drain", "err", herr)
	}

	wctx, wcancel := context.WithTimeout(ctx, workerPhase)
	defer wcancel()
	return errors.Join(herr, s.pool.Drain(wctx))
}

// Run serves until Quit.
func (s *Service) Run() error {
	failed := make(chan error, 1)
	go func() { failed <- s.srv.ListenAndServe() }()
	select {
	case err := <-failed:
		return err
	case <-s.quit:
		return s.stop()
	}
}

func (s *Service) Quit() { close(s.quit) }
