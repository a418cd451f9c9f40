// Package redis has the few signatures of github.com/gomodule/redigo/redis that the tests' programs use. They import it by its path,
// since another package is called redis too.
package redis

import (
	"context"
	"net"
	"time"
)

type Conn interface {
	Close() error
	Do(commandName string, args ...any) (any, error)
	Receive() (any, error)
}

type DialOption struct{}

func DialDatabase(db int) DialOption                                  { return DialOption{} }
func DialReadTimeout(d time.Duration) DialOption                      { return DialOption{} }
func DialNetDial(f func(string, string) (net.Conn, error)) DialOption { return DialOption{} }

func Dial(network, address string, options ...DialOption) (Conn, error) { return nil, nil }

func DialContext(ctx context.Context, network, address string, options ...DialOption) (Conn, error) {
	return nil, nil
}

func DoContext(c Conn, ctx context.Context, cmd string, args ...any) (any, error) { return nil, nil }
func ReceiveContext(c Conn, ctx context.Context) (any, error)                     { return nil, nil }

type Pool struct {
	Dial         func() (Conn, error)
	TestOnBorrow func(c Conn, t time.Time) error
	MaxIdle      int
}

func (p *Pool) Get() Conn                                    { return nil }
func (p *Pool) GetContext(ctx context.Context) (Conn, error) { return nil, nil }

type PubSubConn struct{ Conn Conn }

func (c PubSubConn) Subscribe(channel ...any) error         { return nil }
func (c PubSubConn) Receive() any                           { return nil }
func (c PubSubConn) ReceiveContext(ctx context.Context) any { return nil }
