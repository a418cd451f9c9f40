// Package ldap has the few signatures of github.com/go-ldap/ldap/v3 that the tests' programs use.
package ldap

import (
	"context"
	"net"
	"time"
)

type Conn struct{}

type (
	DialOpt       func()
	SearchRequest struct{}
	SearchResult  struct{}
	Response      interface{ Next() bool }
)

func DialURL(addr string, opts ...DialOpt) (*Conn, error) { return nil, nil }
func DialWithDialer(d *net.Dialer) DialOpt                { return nil }

func (l *Conn) SetTimeout(timeout time.Duration)                 {}
func (l *Conn) Bind(username, password string) error             { return nil }
func (l *Conn) Search(req *SearchRequest) (*SearchResult, error) { return nil, nil }
func (l *Conn) SearchAsync(ctx context.Context, req *SearchRequest, size int) Response {
	return nil
}
