// Package directory copies the users of an identity provider.
package directory

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"time"
)

// User is one account.
type User struct{ ID, Mail string }

type page struct {
	Users []User `json:"users"`
	Next  string `json:"next"`
}

// Client reads the provider's API.
type Client struct {
	base string
	hc   *http.Client
}

func (c *Client) page(ctx context.Context, cursor string) (p page, err error) {
	ctx, cancel := context.WithTimeout(ctx, pageLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/users?after="+url.QueryEscape(cursor), nil)
	if err != nil {
		return p, err
	}
	res, err := c.hc.Do(req)
	if err != nil {
		return p, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return p, fmt.Errorf("users: %s", res.Status)
	}
	return p, json.NewDecoder(res.Body).Decode(&p)
}

// Users yields every user, page by page.
func (c *Client) Users(ctx context.Context) iter.Seq2[User, error] {
	return func(yield func(User, error) bool) {
		for cursor := ""; ; {
			p, err := c.page(ctx, cursor)
			if err != nil {
				yield(User{}, err)
				return
			}
			for _, u := range p.Users {
				if !yield(u, nil) {
					return
				}
			}
			if cursor = p.Next; cursor == "" {
				return
			}
		}
	}
}

const pageLimit = 30 * time.Second

// Sync returns all users by mail.
func (c *Client) Sync(ctx context.Context) (map[string]User, error) {
	all := map[string]User{}
	for u, err := range c.Users(ctx) {
		if err != nil {
			return nil, fmt.Errorf("after %d users: %w", len(all), err)
		}
		all[u.Mail] = u
	}
	return all, nil
}
