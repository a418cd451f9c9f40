// Package bad is a task driver: it launches tasks for an agent and reports how
// they ended.
package bad

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
)

// ErrNoTask is returned for a task that the driver does not know.
var ErrNoTask = errors.New("task not found")

// ExitResult says how a task ended.
type ExitResult struct {
	Code   int
	Signal int
	Err    error
}

// Process is a running task.
type Process interface {
	// Exited is closed when the process has ended; Result is valid then.
	Exited() <-chan struct{}
	Result() ExitResult
	Signal(sig int) error
}

// Launcher starts processes.
type Launcher interface {
	Launch(ctx context.Context, image string, args []string) (Process, error)
}

type loggerKey struct{}

// WithLogger adds a logger to ctx.
func WithLogger(ctx context.Context, l *slog.Logger) context.Context {
	return context.WithValue(ctx, loggerKey{}, l)
}

func logger(ctx context.Context) *slog.Logger {
	if l, ok := ctx.Value(loggerKey{}).(*slog.Logger); ok {
		return l
	}
	return slog.Default()
}

type handle struct {
	id   string
	proc Process
}

func (h *handle) join() ExitResult {
	<-h.proc.Exited() // ALSO(deafctx)
	return h.proc.Result()
}

// Driver implements the agent's plugin interface.
type Driver struct {
	launcher Launcher
	mu       sync.Mutex
	tasks    map[string]*handle
}

// New returns a driver without tasks.
func New(l Launcher) *Driver { return &Driver{launcher: l, tasks: map[string]*handle{}} }

// StartTask launches a task.
func (d *Driver) StartTask(ctx context.Context, id, image string, args []string) error {
	p, err := d.launcher.Launch(ctx, image, args)
	if err != nil {
		return fmt.Errorf("launch %s: %w", id, err)
	}
	d.mu.Lock()
	d.tasks[id] = &handle{id: id, proc: p}
	d.mu.Unlock()
	logger(ctx).Info("task started", "id", id, "image", image)
	return nil
}

// WaitTask returns the result of a task once it is there. The agent cancels
// ctx when it stops tracking the task.
func (d *Driver) WaitTask(ctx context.Context, id string) (*ExitResult, error) { // ALSO(deafctx)
	h, err := d.find(id)
	if err != nil {
		return nil, err
	}
	log := logger(ctx).With("id", id)
	log.Debug("waiting for task")
	res := h.join() // BUG(deafctx)
	log.Info("task ended", "code", res.Code, "signal", res.Signal)
	return &res, nil
}

// SignalTask passes a signal on.
func (d *Driver) SignalTask(ctx context.Context, id string, sig int) error {
	h, err := d.find(id)
	if err != nil {
		return err
	}
	logger(ctx).Debug("signal", "id", id, "sig", sig)
	return h.proc.Signal(sig)
}

func (d *Driver) find(id string) (*handle, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	h, ok := d.tasks[id]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrNoTask, id)
	}
	return h, nil
}
