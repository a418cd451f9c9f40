package before

import (
	"net/http"

	"github.com/doneby/doneby/deadline/examples/chain/internal/host"
	"github.com/doneby/doneby/deadline/examples/chain/internal/ledger"
	"github.com/doneby/doneby/deadline/examples/chain/internal/plan"
	"github.com/doneby/doneby/deadline/examples/chain/internal/rpc"
	"github.com/doneby/doneby/deadline/examples/chain/internal/store"
	"github.com/doneby/doneby/deadline/examples/chain/internal/web"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// chain is the four services; each method is one, or a part of one.
type chain struct {
	a, b                  web.Client
	c                     rpc.Client
	pages, stocks, prices *desk
	db                    *store.DB
}

// A desk is a station with so many places; who finds none waits in line.
type desk struct {
	*ledger.Station
	queue chan struct{}
}

func (d *desk) leave() { <-d.queue }

// Build makes the services.
func Build(at host.Addresses, book *ledger.Ledger, db *store.DB) (host.Services, error) {
	conn, err := grpc.NewClient(at.C, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return host.Services{}, err
	}
	c := &chain{
		a:      web.Client{Base: at.A, HTTP: &http.Client{Transport: web.Transport(), Timeout: plan.Patience}},
		b:      web.Client{Base: at.B, HTTP: &http.Client{Transport: web.Transport(), Timeout: plan.CallLimit}},
		c:      rpc.Client{Conn: conn},
		pages:  &desk{book.Station("A", plan.Page), make(chan struct{}, plan.WorkersOfA)},
		stocks: &desk{book.Station("B", plan.Look), make(chan struct{}, plan.WorkersOfB)},
		prices: &desk{book.Station("C", plan.Look), make(chan struct{}, plan.WorkersOfC)},
		db:     db,
	}
	return host.Services{
		Gateway: web.Handle("GET /orders/{id}", c.gateway),
		A:       web.Handle("GET /orders/{id}", c.order),
		B:       web.Handle("GET /stock/{id}", c.stock),
		C:       rpc.NewServer(c),
		Clients: []*http.Client{c.a.HTTP, c.b.HTTP},
		Close:   conn.Close,
	}, nil
}
