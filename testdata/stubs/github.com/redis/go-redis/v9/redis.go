// Package redis has the few signatures of github.com/redis/go-redis/v9 that the READMEs' programs use.
package redis

import (
	"context"
	"time"
)

type Options struct {
	Addr                      string
	ReadTimeout, WriteTimeout time.Duration
	ContextTimeoutEnabled     bool
}

type Client struct{}

func NewClient(opt *Options) *Client { return nil }

func (*Client) Get(ctx context.Context, key string) *StringCmd { return nil }

func (*Client) Do(ctx context.Context, args ...any) *Cmd { return nil }

type Cmd struct{}

func (*Cmd) Text() (string, error) { return "", nil }

type StringCmd struct{}

func (*StringCmd) Result() (string, error) { return "", nil }

func (*Client) Subscribe(ctx context.Context, channels ...string) *PubSub { return nil }

type PubSub struct{}

func (*PubSub) Channel() <-chan *Message { return nil }

func (*PubSub) Ping(ctx context.Context) error { return nil }

func (*PubSub) Close() error { return nil }

type Message struct{ Payload string }
