// Package good lists the objects of a bucket as a stream.
package good

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

func (c *Client) visit(ctx context.Context, bucket, prefix string, fn func(Object) error) error {
	for token := ""; ; {
		p, err := c.api.ListPage(ctx, bucket, prefix, token)
		if err != nil {
			return err
		}
		for _, o := range p.objects {
			if strings.HasSuffix(o.Key, "/") {
				continue
			}
			if err := fn(o); err != nil {
				return err
			}
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
	out := make(chan Object, 1)
	go func() {
		defer close(out)
		emit := func(o Object) error {
			select {
			case out <- o:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err := c.visit(ctx, bucket, prefix, emit); err != nil {
			_ = emit(Object{Err: err})
		}
	}()
	return out
}
