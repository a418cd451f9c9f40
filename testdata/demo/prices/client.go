// Package prices is the second service: it knows what things cost.
package prices

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"demo.example/wire"
)

// Client asks the service.
type Client struct {
	base string
	http *http.Client
}

// NewClient returns a client for the service at base. It has no timeout of its own: each request has its caller's.
func NewClient(base string) *Client {
	return &Client{base: base, http: &http.Client{Transport: wire.Transport{Base: http.DefaultTransport}}}
}

// Quote asks once.
func (c *Client) Quote(ctx context.Context, item string) (price int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/quote/"+item, nil)
	if err != nil {
		return 0, err
	}
	resp, err := c.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = fmt.Fscan(resp.Body, &price)
	return price, err
}

// Do sends a request with the time that its context leaves.
func (c *Client) Do(req *http.Request) (*http.Response, error) { return c.http.Do(req) }

// Ready asks whether the service is there.
func (c *Client) Ready(ctx context.Context) error {
	req, err := http.NewRequest(http.MethodHead, c.base+"/ready", nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req.WithContext(ctx))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// QuoteInsist asks up to five times.
func (c *Client) QuoteInsist(ctx context.Context, item string) (price int, err error) {
	for attempt := range 5 {
		if price, err = c.Quote(ctx, item); err == nil {
			return price, nil
		}
		time.Sleep(10 * time.Millisecond << attempt)
	}
	return 0, err
}

// QuotePatient asks until the caller's time is up.
func (c *Client) QuotePatient(ctx context.Context, item string) (int, error) {
	for {
		price, err := c.Quote(ctx, item)
		if err == nil {
			return price, nil
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return 0, fmt.Errorf("%w, after %v", ctx.Err(), err)
		}
	}
}

// QuoteAny asks one region after the other.
func (c *Client) QuoteAny(ctx context.Context, item string) (price int, err error) {
	all, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	for region := 0; region < 3; region++ {
		if price, err = c.quoteIn(all, region, item); err == nil {
			return price, nil
		}
		if all.Err() != nil {
			break
		}
	}
	return 0, err
}

// quoteIn asks one region and gives up after two seconds.
func (c *Client) quoteIn(ctx context.Context, region int, item string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return c.Quote(ctx, fmt.Sprintf("%s?region=%d", item, region))
}
