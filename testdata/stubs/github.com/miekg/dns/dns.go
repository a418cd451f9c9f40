// Package dns has the few signatures of github.com/miekg/dns that the READMEs' programs use.
package dns

import (
	"context"
	"time"
)

type (
	Client struct{ Timeout time.Duration }
	Msg    struct{}
)

func (*Client) Exchange(m *Msg, addr string) (*Msg, time.Duration, error) { return nil, 0, nil }

func (*Client) ExchangeContext(ctx context.Context, m *Msg, addr string) (*Msg, time.Duration, error) {
	return nil, 0, nil
}
