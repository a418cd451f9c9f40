// Package bad starts and stops the parts of an order service.
package bad

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const (
	grace        = 20 * time.Second
	drainTimeout = 20 * time.Second
	flushTimeout = 10 * time.Second
	saveTimeout  = 5 * time.Second
)

// Exporter sends spans; Flush returns when the pending ones are out.
type Exporter interface {
	Flush(ctx context.Context) error
}

// Offsets remembers how far the consumer has come.
type Offsets interface {
	Save(ctx context.Context) error
}

// App is the whole process.
type App struct {
	srv      *http.Server
	exporter Exporter
	offsets  Offsets
}

// New puts the parts together.
func New(h http.Handler, e Exporter, o Offsets) *App {
	return &App{
		srv: &http.Server{
			Handler:           h,
			ReadHeaderTimeout: 5 * time.Second,
			IdleTimeout:       time.Minute,
		},
		exporter: e,
		offsets:  o,
	}
}

// Run serves on ln until ctx ends or a signal arrives.
func (a *App) Run(ctx context.Context, ln net.Listener) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed := make(chan error, 1)
	go func() { failed <- a.srv.Serve(ln) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Print("stopping")
	return a.stop()
}

func (a *App) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), grace) // BUG(budget)
	defer cancel()
	return errors.Join(
		a.drain(ctx), // ALSO(budget)
		a.flush(ctx), // ALSO(budget)
		a.save(ctx),  // ALSO(budget)
	)
}

func (a *App) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout) // ALSO(budget)
	defer cancel()
	if err := a.srv.Shutdown(ctx); err != nil {
		return fmt.Errorf("drain: %w", errors.Join(err, a.srv.Close()))
	}
	return nil
}

func (a *App) flush(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, flushTimeout) // ALSO(budget)
	defer cancel()
	if err := a.exporter.Flush(ctx); err != nil {
		return fmt.Errorf("flush spans: %w", err)
	}
	return nil
}

func (a *App) save(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, saveTimeout) // ALSO(budget)
	defer cancel()
	if err := a.offsets.Save(ctx); err != nil {
		return fmt.Errorf("save offsets: %w", err)
	}
	return nil
}
