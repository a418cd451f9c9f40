// Package gateway is the edge: each request gets its deadline here.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"demo.example/orders"
	"demo.example/store"
	"demo.example/wire"
)

// Gateway serves customers.
type Gateway struct {
	Orders *orders.Service
	Limit  time.Duration // for one request
}

// Serve answers on ln until ctx is done, and then lets requests finish for a second.
func (g *Gateway) Serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{Handler: g.handler(), ReadTimeout: 5 * time.Second}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		srv.Shutdown(grace)
	}()
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-stopped
	return nil
}

// ServeAdmin answers the operators.
func ServeAdmin(ln net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h}
	return srv.Serve(ln)
}

func (g *Gateway) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders/{id}/{item}", g.place)
	mux.HandleFunc("DELETE /orders/{id}", g.withdraw)
	mux.HandleFunc("GET /summary", g.summary)
	return wire.Accept(mux)
}

// newContext gives a request its deadline.
func (g *Gateway) newContext(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(r.Context(), g.Limit)
}

func (g *Gateway) place(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := g.newContext(r)
	defer cancel()
	id, _ := strconv.Atoi(r.PathValue("id"))
	price, err := g.Orders.Place(ctx, store.Order{ID: id, Item: r.PathValue("item")})
	answer(w, price, err)
}

func (g *Gateway) withdraw(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := g.newContext(r)
	defer cancel()
	id, _ := strconv.Atoi(r.PathValue("id"))
	answer(w, id, g.Orders.Withdraw(ctx, id))
}

func (g *Gateway) summary(w http.ResponseWriter, r *http.Request) {
	count, _, err := g.Orders.Summary(r.Context())
	answer(w, count, err)
}

func answer(w http.ResponseWriter, value int, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, value)
}
