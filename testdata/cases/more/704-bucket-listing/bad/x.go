// Package bad lists the objects of a bucket as a stream.
package bad

import (
	"context"
	"strings"
)

// Object is one entry, or the error that ended the listing.
type Object struct {
	Key  string
	Size int64
	Err  error
}

type page struct {
	objects []Object
	next    string
}

// API is the remote side.
type API interface {
	ListPage(ctx context.Context, bucket, prefix, token string) (page, error)
}

// Client talks to a store.
type Client struct {
	api API
}

// New makes a Client.
func New(api API) *Client { return &Client{api: api} }

func (c *Client) visit(ctx context.Context, bucket, prefix string, fn func(Object)) error {
	for token := ""; ; {
		p, err := c.api.ListPage(ctx, bucket, prefix, token)
		if err != nil {
			return err
		}
		for _, o := range p.objects {
			if strings.HasSuffix(o.Key, "/") {
				continue
			}
			fn(o)
		}
		if p.next == "" {
			return nil
		}
		token = p.next
	}
}

// Objects streams what is below prefix. A caller that has seen enough cancels
// ctx.
func (c *Client) Objects(ctx context.Context, bucket, prefix string) <-chan Object {
	out := make(chan Object, 1) // ALT(orphan)
	go func() {                 // ALT(orphan)
		defer close(out)
		err := c.visit(ctx, bucket, prefix, func(o Object) {
			out <- o // BUG(deafwait) ALT(orphan)
		})
		if err != nil {
			out <- Object{Err: err} // ALT(deafwait) ALT(orphan)
		}
	}()
	return out
}
