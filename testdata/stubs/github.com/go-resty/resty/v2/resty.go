// Package resty has the few signatures of github.com/go-resty/resty/v2 that the READMEs' programs use.
package resty

import (
	"context"
	"net/http"
	"time"
)

type (
	Client   struct{}
	Request  struct{}
	Response struct{}
)

func New() *Client { return &Client{} }

func (c *Client) SetBaseURL(url string) *Client            { return c }
func (c *Client) SetTimeout(d time.Duration) *Client       { return c }
func (c *Client) SetTransport(t http.RoundTripper) *Client { return c }
func (c *Client) R() *Request                              { return &Request{} }
func (r *Request) SetContext(ctx context.Context) *Request { return r }
func (r *Request) SetResult(v any) *Request                { return r }
func (r *Request) Get(url string) (*Response, error)       { return nil, nil }
