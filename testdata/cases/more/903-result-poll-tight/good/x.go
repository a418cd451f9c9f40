// Package good submits transactions to a chain and follows them until they are
// sealed.
package good

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Status of a transaction.
type Status int

// The stages of a transaction.
const (
	Unknown Status = iota
	Pending
	Executed
	Sealed
)

// Result is what the access node knows.
type Result struct {
	Status Status
	Code   uint32
	Reason string
}

// ErrRejected is returned for a transaction that was refused.
var ErrRejected = errors.New("transaction rejected")

// Access is the node's RPC interface.
type Access interface {
	Send(ctx context.Context, raw []byte) (id string, err error)
	Result(ctx context.Context, id string) (*Result, error)
}

// Client submits transactions.
type Client struct {
	node  Access
	log   *slog.Logger
	every time.Duration
	seen  func(id string, s Status)
}

// New returns a client that asks for results once per second.
func New(node Access, log *slog.Logger) *Client {
	return &Client{node: node, log: log, every: time.Second, seen: func(string, Status) {}}
}

// Submit sends a signed transaction and waits for its seal.
func (c *Client) Submit(ctx context.Context, raw []byte) (*Result, error) {
	id, err := c.node.Send(ctx, raw)
	if err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	res, err := c.sealed(ctx, id)
	if err != nil {
		return nil, err
	}
	if res.Code != 0 {
		return res, fmt.Errorf("%w: %s", ErrRejected, res.Reason)
	}
	return res, nil
}

func (c *Client) sealed(ctx context.Context, id string) (*Result, error) {
	tick := time.NewTicker(c.every)
	defer tick.Stop()

	last := Unknown
	for {
		res, err := c.node.Result(ctx, id)
		if err != nil {
			c.log.Debug("no result yet", "tx", id, "err", err)
		} else {
			if res.Status != last {
				c.seen(id, res.Status)
				last = res.Status
			}
			if last == Sealed {
				return res, nil
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
