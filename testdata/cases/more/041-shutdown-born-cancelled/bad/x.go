package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os/signal"
	"syscall"
	"time"
)

// Closer ends one part of the program.
type Closer interface {
	Close(ctx context.Context) error
}

type App struct {
	srv   *http.Server
	parts []Closer
	grace time.Duration
}

func New(h http.Handler, parts ...Closer) *App {
	return &App{
		srv:   &http.Server{Addr: ":8080", Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute},
		parts: parts,
		grace: 5 * time.Second,
	}
}

// Run serves until a signal arrives.
func (a *App) Run(parent context.Context) error {
	ctx, stop := signal.NotifyContext(parent, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	failed := make(chan error, 1)
	go func() { failed <- a.srv.ListenAndServe() }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		slog.Info("stopping")
	}
	return a.shutdown(ctx) // ALT(stalework)
}

func (a *App) shutdown(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, a.grace) // BUG(stalework)
	defer cancel()
	errs := []error{a.srv.Shutdown(ctx)} // ALT(stalework)
	for _, p := range a.parts {
		errs = append(errs, p.Close(ctx))
	}
	return errors.Join(errs...)
}
