package music

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Client reads a catalogue.
type Client struct {
	hc    *http.Client
	base  string
	retry bool
}

func New(base string) *Client {
	return &Client{hc: &http.Client{Timeout: 20 * time.Second}, base: base, retry: true}
}

func pauseFrom(h http.Header) time.Duration {
	s, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil {
		return 5 * time.Second
	}
	return time.Duration(s) * time.Second
}

func (c *Client) get(ctx context.Context, url string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := c.hc.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusTooManyRequests && c.retry:
		select {
		case <-time.After(pauseFrom(resp.Header)):
		case <-ctx.Done():
			return ctx.Err()
		}
		return c.get(ctx, url, out)
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("%s: %s", url, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

type Track struct {
	ID, Name string
}

// Track reads one track.
func (c *Client) Track(ctx context.Context, id string) (*Track, error) {
	t := new(Track)
	return t, c.get(ctx, c.base+"/tracks/"+id, t)
}
