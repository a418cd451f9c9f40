package pricing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	window = 10 * time.Second
	tryFor = 2 * time.Second
	pause  = 300 * time.Millisecond
	tries  = 3
)

type Client struct {
	http *http.Client
	base string
}

func New(base string) *Client { return &Client{http: &http.Client{}, base: base} }

func (c *Client) once(ctx context.Context, sku string) (price int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, tryFor)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/price/"+sku, nil)
	if err != nil {
		return 0, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("price of %s: %s", sku, resp.Status)
	}
	return price, json.NewDecoder(resp.Body).Decode(&price)
}

// Price asks for a price, a few times if it must.
func (c *Client) Price(ctx context.Context, sku string) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, window)
	defer cancel()
	var last error
	for i := range tries {
		if i > 0 {
			t := time.NewTimer(pause)
			select {
			case <-t.C:
			case <-ctx.Done():
				t.Stop()
				return 0, errors.Join(ctx.Err(), last)
			}
		}
		p, err := c.once(ctx, sku)
		if err == nil {
			return p, nil
		}
		last = err
	}
	return 0, last
}
