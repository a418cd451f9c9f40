package frames

import (
	"context"
	"errors"
	"sync"
)

// Frame is a part of a page.
type Frame struct {
	detached chan struct{}
	once     sync.Once
}

// NewFrame attaches a frame.
func NewFrame() *Frame { return &Frame{detached: make(chan struct{})} }

// Detach takes the frame off its page.
func (f *Frame) Detach() { f.once.Do(func() { close(f.detached) }) }

var errDetached = errors.New("frame was detached")

// tied gives a context that also ends when ch is closed.
func tied(ctx context.Context, ch <-chan struct{}) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() { // BUG(orphan)
		<-ch // ALT(deafwait) ALT(orphan)
		cancel(errDetached)
	}()
	return ctx, cancel
}

// Session sends commands to the browser.
type Session interface {
	Execute(ctx context.Context, method string, params map[string]any) error
}

// Evaluate runs a script in the frame.
func (f *Frame) Evaluate(ctx context.Context, s Session, script string) error {
	ctx, cancel := tied(ctx, f.detached)
	defer cancel(nil)
	return s.Execute(ctx, "Runtime.evaluate", map[string]any{"expression": script})
}

// Click clicks on a node of the frame.
func (f *Frame) Click(ctx context.Context, s Session, node int) error {
	ctx, cancel := tied(ctx, f.detached)
	defer cancel(nil)
	return s.Execute(ctx, "DOM.click", map[string]any{"node": node})
}
