package tenantapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Client talks to the tenants' API.
type Client struct {
	base, token string
	hc          *http.Client
}

// New talks to base through hc.
func New(base, token string, hc *http.Client) *Client {
	return &Client{base: base, token: token, hc: hc}
}

// Tenant is one tenant.
type Tenant struct {
	ID   string `json:"id"`
	Plan string `json:"plan"`
}

func (c *Client) request(method, path string, in any) (*http.Request, error) {
	var body io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(b)
	}
	req, err := http.NewRequest(method, c.base+path, body) // ALT(noctx) ALT(unbounded)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	return req, nil
}

func call[T any](c *Client, method, path string, in any) (out T, err error) {
	req, err := c.request(method, path, in)
	if err != nil {
		return out, err
	}
	res, err := c.hc.Do(req) // ALT(noctx) ALT(unbounded)
	if err != nil {
		return out, err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return out, fmt.Errorf("%s %s: %s", method, path, res.Status)
	}
	return out, json.NewDecoder(res.Body).Decode(&out)
}

// Move puts a tenant on another plan.
func (c *Client) Move(ctx context.Context, id, plan string) (Tenant, error) { // ALT(deafctx)
	return call[Tenant](c, http.MethodPatch, "/tenants/"+id, map[string]string{"plan": plan}) // BUG(noctx) ALT(deafctx)
}
