package after

import (
	"net/http"

	"github.com/doneby/doneby/deadline"
	"github.com/doneby/doneby/deadline/deadlinegrpc"
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

// A desk is a station with so many places; who finds none waits in line, unless that would be in vain.
type desk struct {
	*ledger.Station
	*deadline.Gate
}

func (d *desk) leave() { d.Release(1) }

// What is known about the dependencies: the limits of before, as the nets that they are, and what a call needs.
var (
	ofA     = deadline.Policy{Name: "A", Min: plan.NeedA}
	ofB     = deadline.Policy{Name: "B", Cap: plan.CallLimit, Reserve: plan.NeedPage, Min: plan.NeedBC}
	ofC     = deadline.Policy{Name: "C", Cap: plan.CallLimit, Reserve: plan.NeedPage, Min: plan.NeedBC}
	reading = deadline.Policy{Name: "database", Cap: plan.ReadLimit, Min: plan.NeedRead}
)

// Build makes the services.
func Build(at host.Addresses, book *ledger.Ledger, db *store.DB) (host.Services, error) {
	conn, err := grpc.NewClient(at.C, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithUnaryInterceptor(deadlinegrpc.Client{Policy: ofC}.Unary()))
	if err != nil {
		return host.Services{}, err
	}
	c := &chain{
		a:      web.Client{Base: at.A, HTTP: &http.Client{Transport: within(ofA), Timeout: plan.Patience}},
		b:      web.Client{Base: at.B, HTTP: &http.Client{Transport: within(ofB), Timeout: plan.CallLimit}},
		c:      rpc.Client{Conn: conn},
		pages:  &desk{book.Station("A", plan.Page), &deadline.Gate{Name: "A", Size: plan.WorkersOfA, Need: plan.NeedPage}},
		stocks: &desk{book.Station("B", plan.Look), &deadline.Gate{Name: "B", Size: plan.WorkersOfB, Need: plan.NeedBC}},
		prices: &desk{book.Station("C", plan.Look), &deadline.Gate{Name: "C", Size: plan.WorkersOfC, Need: plan.NeedBC}},
		db:     db,
	}
	edge := deadline.Server{Trust: deadline.Untrusted, Default: plan.Patience, Reserve: plan.Answer}
	inner := deadline.Server{Default: plan.Patience, Reserve: plan.Answer}
	grpcs := deadlinegrpc.Server{Default: plan.Patience, Reserve: plan.Answer, Min: plan.NeedBC}
	return host.Services{
		Gateway: edge.Wrap(web.Handle("GET /orders/{id}", c.gateway)),
		A:       inner.Wrap(web.Handle("GET /orders/{id}", c.order)),
		B:       inner.Wrap(web.Handle("GET /stock/{id}", c.stock)),
		C:       rpc.NewServer(c, grpc.UnaryInterceptor(grpcs.Unary())),
		Clients: []*http.Client{c.a.HTTP, c.b.HTTP},
		Close:   conn.Close,
	}, nil
}

// within is the transport of before, which tells the other side what is left.
func within(p deadline.Policy) *deadline.Transport {
	return &deadline.Transport{Base: web.Transport(), Policy: p, SendTo: deadline.AnyHost}
}
