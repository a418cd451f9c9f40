// Package good spreads pricing requests over NATS.
package good

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	traceHeader  = "X-Trace"
	tenantHeader = "X-Tenant"
	budgetHeader = "X-Deadline-Ms"

	maxBudget = 15 * time.Second
)

// stamp tells the receiver how much time is left.
func stamp(ctx context.Context, h nats.Header) {
	if d, ok := ctx.Deadline(); ok {
		h.Set(budgetHeader, strconv.FormatInt(time.Until(d).Milliseconds(), 10))
	}
}

// accept derives the context of a request from the time its sender has left.
func accept(parent context.Context, m *nats.Msg) (context.Context, context.CancelFunc) {
	budget := maxBudget
	if ms, err := strconv.ParseInt(m.Header.Get(budgetHeader), 10, 64); err == nil {
		budget = min(budget, time.Duration(ms)*time.Millisecond)
	}
	return context.WithTimeout(parent, budget)
}

// Quote is the answer to a pricing request.
type Quote struct {
	Article string  `json:"article"`
	Price   float64 `json:"price"`
}

// Client asks for quotes.
type Client struct {
	nc     *nats.Conn
	tenant string
}

// NewClient returns a client that asks on behalf of tenant.
func NewClient(nc *nats.Conn, tenant string) *Client {
	return &Client{nc: nc, tenant: tenant}
}

// Quote asks a worker for the price of an article.
func (c *Client) Quote(ctx context.Context, region, article string) (*Quote, error) {
	ctx, cancel := context.WithTimeout(ctx, maxBudget)
	defer cancel()
	m := nats.NewMsg("pricing." + region)
	m.Data = []byte(article)
	m.Header.Set(tenantHeader, c.tenant)
	stamp(ctx, m.Header)
	reply, err := c.nc.RequestMsgWithContext(ctx, m)
	if err != nil {
		return nil, fmt.Errorf("quote %s: %w", article, err)
	}
	q := new(Quote)
	if err := json.Unmarshal(reply.Data, q); err != nil {
		return nil, err
	}
	return q, nil
}

// Price computes the answer of a worker.
type Price func(ctx context.Context, tenant, article string) (*Quote, error)

// Worker answers the requests of its region.
func Worker(ctx context.Context, nc *nats.Conn, region string, price Price) (*nats.Subscription, error) {
	return nc.QueueSubscribe("pricing."+region, "workers", func(m *nats.Msg) {
		reqCtx, cancel := accept(ctx, m)
		defer cancel()
		if reqCtx.Err() != nil {
			return
		}
		q, err := price(reqCtx, m.Header.Get(tenantHeader), string(m.Data))
		if err != nil {
			_ = m.Respond([]byte(`{}`))
			return
		}
		data, _ := json.Marshal(q)
		_ = m.Respond(data)
	})
}

// Relay answers for a region that has no workers by asking another one.
type Relay struct {
	nc   *nats.Conn
	into string
}

// Serve attaches the relay to the subject of the region it stands in for.
func (r *Relay) Serve(ctx context.Context, region string) (*nats.Subscription, error) {
	return r.nc.QueueSubscribe("pricing."+region, "relays", func(m *nats.Msg) {
		reqCtx, cancel := accept(ctx, m)
		defer cancel()
		if reqCtx.Err() != nil {
			return
		}
		reply, err := r.forward(reqCtx, m)
		if err != nil {
			_ = m.Respond([]byte(`{}`))
			return
		}
		_ = m.Respond(reply.Data)
	})
}

func (r *Relay) forward(ctx context.Context, m *nats.Msg) (*nats.Msg, error) {
	out := nats.NewMsg("pricing." + r.into)
	out.Data = m.Data
	for _, k := range []string{traceHeader, tenantHeader} {
		if v := m.Header.Get(k); v != "" {
			out.Header.Set(k, v)
		}
	}
	stamp(ctx, out.Header)
	return r.nc.RequestMsgWithContext(ctx, out)
}
