// Package after is the chain with package deadline: what is left of the browser's time travels along, a call gets that less what
// its caller needs for itself, and what has too little left is refused before it begins.
package after

import (
	"context"
	"net/http"

	"github.com/doneby/doneby/deadline"
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
		if err := deadline.Sleep(ctx, plan.Pause, plan.NeedBC); err != nil {
			return err
		}
	}
}

// page is A's own work.
func (c *chain) page(ctx context.Context, id string) error {
	ctx, cancel, err := deadline.Within(ctx, plan.OwnLimit)
	if err != nil {
		return err
	}
	defer cancel()
	if err := c.pages.Acquire(ctx, 1); err != nil {
		return err
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
	if err := at.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer at.leave()
	err = at.Do(id, func() error {
		ctx, cancel, err := reading.Start(ctx)
		if err != nil {
			return err
		}
		defer cancel()
		name, err = c.db.Read(ctx, id)
		return err
	})
	return name, err
}
