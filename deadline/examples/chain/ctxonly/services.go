// Package ctxonly is the chain without what doneby finds in package before: every wait ends with the context that was handed
// in. Nothing else is done: no header says what is left, and nothing is refused because too little is.
package ctxonly

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/doneby/doneby/deadline/examples/chain/internal/plan"
	"github.com/doneby/doneby/deadline/examples/chain/internal/web"
	"golang.org/x/sync/errgroup"
)

// gateway passes on to A what a browser asks.
func (c *chain) gateway(w http.ResponseWriter, r *http.Request) {
	page, err := c.a.Get(r.Context(), r.URL.Path)
	web.Answer(w, page, err)
}

// order is A: it asks B and C at the same time, and makes a page of what they say.
func (c *chain) order(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	var stock, price string
	both, ctx := errgroup.WithContext(r.Context())
	both.Go(func() error {
		return thrice(ctx, func(ctx context.Context) (err error) {
			stock, err = c.b.Get(ctx, "/stock/"+id)
			return err
		})
	})
	both.Go(func() error {
		return thrice(ctx, func(ctx context.Context) (err error) {
			ctx, cancel := context.WithTimeout(ctx, plan.CallLimit)
			defer cancel()
			price, err = c.c.Price(ctx, id)
			return err
		})
	})
	err := both.Wait()
	if err == nil {
		err = c.page(r.Context(), id)
	}
	web.Answer(w, stock+" at "+price, err)
}

// thrice makes up to three attempts.
func thrice(ctx context.Context, call func(context.Context) error) error {
	for attempt := 1; ; attempt++ {
		err := call(ctx)
		if err == nil || attempt == plan.Attempts {
			return err
		}
		select {
		case <-time.After(plan.Pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// page is A's own work.
func (c *chain) page(ctx context.Context, id string) error {
	select {
	case c.pages.queue <- struct{}{}:
	case <-time.After(plan.OwnLimit):
		return errors.New("nobody is free to make the page")
	case <-ctx.Done():
		return ctx.Err()
	}
	defer c.pages.leave()
	return c.pages.Do(id, nil)
}

// stock is B.
func (c *chain) stock(w http.ResponseWriter, r *http.Request) {
	name, err := c.look(r.Context(), c.stocks, r.PathValue("id"))
	web.Answer(w, name, err)
}

// Price is C.
func (c *chain) Price(ctx context.Context, id string) (string, error) {
	return c.look(ctx, c.prices, id)
}

// look is the work of B and of C: a query, and something of their own.
func (c *chain) look(ctx context.Context, at *desk, id string) (name string, err error) {
	select {
	case at.queue <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer at.leave()
	err = at.Do(id, func() error {
		ctx, cancel := context.WithTimeout(ctx, plan.ReadLimit)
		defer cancel()
		name, err = c.db.Read(ctx, id)
		return err
	})
	return name, err
}
