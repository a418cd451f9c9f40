package eval

import (
	"context"
	"time"
)

// Expr is a compiled expression.
type Expr[T any] interface {
	Eval(ctx context.Context, vars map[string]any) (T, error)
}

type answer[T any] struct {
	val T
	err error
}

// Runner evaluates expressions of foreign origin.
type Runner[T any] struct {
	limit time.Duration
	calls func()
}

// NewRunner gives every evaluation up to limit.
func NewRunner[T any](limit time.Duration, calls func()) *Runner[T] {
	return &Runner[T]{limit: limit, calls: calls}
}

func (r *Runner[T]) start(ctx context.Context, e Expr[T], vars map[string]any) <-chan answer[T] {
	ch := make(chan answer[T], 1)
	go func() {
		v, err := e.Eval(ctx, vars)
		ch <- answer[T]{v, err}
	}()
	return ch
}

// Run gives up when the limit has passed, whatever the expression does.
func (r *Runner[T]) Run(ctx context.Context, e Expr[T], vars map[string]any) (T, error) {
	r.calls()
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	select {
	case a := <-r.start(ctx, e, vars):
		return a.val, a.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}
