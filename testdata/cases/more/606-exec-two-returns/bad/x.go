// Package ctxfn runs functions under a context.
package ctxfn

import (
	"context"
	"io"
)

type pair[A, B any] struct {
	a A
	b B
}

// Two runs fn and gives its results, or ctx's error if that comes first.
func Two[A, B any](ctx context.Context, fn func(context.Context) (A, B)) (A, B, error) {
	ch := make(chan pair[A, B])
	go func() { // BUG(orphan)
		a, b := fn(ctx)
		ch <- pair[A, B]{a, b} // ALT(orphan) ALT(deafwait)
	}()
	select {
	case p := <-ch:
		return p.a, p.b, nil
	case <-ctx.Done():
		var a A
		var b B
		return a, b, ctx.Err()
	}
}

// Banner is what a service says first.
type Banner struct {
	Proto string
	Text  string
}

// Source gives banners.
type Source interface {
	Fetch(ctx context.Context, addr string) (io.ReadCloser, error)
}

// Grabber reads banners.
type Grabber struct {
	src Source
	max int64
}

func NewGrabber(s Source) *Grabber { return &Grabber{src: s, max: 4096} }

// Grab reads at most max bytes from addr.
func (g *Grabber) Grab(ctx context.Context, addr string) (Banner, error) {
	b, err, ctxErr := Two(ctx, func(ctx context.Context) (Banner, error) {
		return g.read(ctx, addr)
	})
	if ctxErr != nil {
		return Banner{}, ctxErr
	}
	return b, err
}

func (g *Grabber) read(ctx context.Context, addr string) (Banner, error) {
	rc, err := g.src.Fetch(ctx, addr)
	if err != nil {
		return Banner{}, err
	}
	defer rc.Close()
	stop := context.AfterFunc(ctx, func() { rc.Close() })
	defer stop()
	raw, err := io.ReadAll(io.LimitReader(rc, g.max))
	if err != nil {
		return Banner{}, err
	}
	return Banner{Proto: "tcp", Text: string(raw)}, nil
}
