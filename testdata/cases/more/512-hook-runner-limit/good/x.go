package hooks

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

type Hook struct {
	Path    string
	Args    []string
	Timeout time.Duration
}

type Runner struct {
	env []string
	dir string
}

type Option func(*Runner)

func WithEnv(kv ...string) Option { return func(r *Runner) { r.env = append(r.env, kv...) } }

func NewRunner(dir string, opts ...Option) *Runner {
	r := &Runner{dir: dir, env: os.Environ()}
	for _, o := range opts {
		o(r)
	}
	return r
}

func (r *Runner) command(ctx context.Context, h Hook) (*exec.Cmd, context.CancelFunc) {
	limit := h.Timeout
	if limit == 0 {
		limit = 2 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	cmd := exec.CommandContext(ctx, h.Path, h.Args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	cmd.WaitDelay = 5 * time.Second
	return cmd, cancel
}

// RunAll runs the hooks in order and stops at the first that fails.
func (r *Runner) RunAll(ctx context.Context, hooks []Hook) error {
	for _, h := range hooks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.runOne(ctx, h); err != nil {
			return fmt.Errorf("hook %s: %w", h.Path, err)
		}
	}
	return nil
}

func (r *Runner) runOne(ctx context.Context, h Hook) error {
	cmd, cancel := r.command(ctx, h)
	defer cancel()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	return ctx.Err()
}
