// Package bad drives pages of a browser over its debug protocol.
package bad

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
)

// Transport carries messages of the protocol.
type Transport interface {
	Call(ctx context.Context, method string, params, res any) error
	// Gone is closed when the browser goes away.
	Gone() <-chan struct{}
}

// Browser makes pages.
type Browser struct {
	t     Transport
	pages atomic.Int64
}

// New makes a Browser.
func New(t Transport) *Browser { return &Browser{t: t} }

// boundTo returns a child of ctx that also ends when done is closed.
func boundTo(ctx context.Context, done <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() { // ALT(orphan)
		<-done // BUG(orphan) ALT(deafwait)
		cancel()
	}()
	return ctx, cancel
}

// Page is one tab.
type Page struct {
	b  *Browser
	id string
}

// Open makes a page.
func (b *Browser) Open(ctx context.Context, url string) (*Page, error) {
	ctx, cancel := boundTo(ctx, b.t.Gone()) // ALT(orphan)
	defer cancel()
	var res struct {
		ID string `json:"targetId"`
	}
	if err := b.t.Call(ctx, "Target.createTarget", map[string]string{"url": url}, &res); err != nil {
		return nil, err
	}
	if res.ID == "" {
		return nil, errors.New("no target")
	}
	b.pages.Add(1)
	return &Page{b: b, id: res.ID}, nil
}

// Eval runs a script in the page.
func (p *Page) Eval(ctx context.Context, script string) (json.RawMessage, error) {
	ctx, cancel := boundTo(ctx, p.b.t.Gone()) // ALT(orphan)
	defer cancel()
	var out json.RawMessage
	err := p.b.t.Call(ctx, "Runtime.evaluate", map[string]string{"expression": script}, &out)
	return out, err
}
