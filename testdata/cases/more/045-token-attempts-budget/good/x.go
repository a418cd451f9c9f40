package token

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const (
	total   = 20 * time.Second
	attempt = 4 * time.Second
	pause   = 500 * time.Millisecond
	tries   = 4
)

type Token struct {
	Value  string    `json:"access_token"`
	Expiry time.Time `json:"expiry"`
}

// Source fetches tokens from the metadata server.
type Source struct {
	url string
	hc  *http.Client
}

func NewSource(url string) *Source { return &Source{url: url, hc: &http.Client{}} }

func (s *Source) once(ctx context.Context) (*Token, error) {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := s.hc.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("metadata: %s", resp.Status)
	}
	t := new(Token)
	return t, json.NewDecoder(resp.Body).Decode(t)
}

// Fetch gets a token, trying several times.
func (s *Source) Fetch(ctx context.Context) (*Token, error) {
	ctx, cancel := context.WithTimeout(ctx, total)
	defer cancel()
	var last error
	for i := 0; i < tries; i++ {
		t, err := s.once(ctx)
		if err == nil {
			return t, nil
		}
		last = err
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, fmt.Errorf("%w (last: %v)", ctx.Err(), last)
		}
	}
	return nil, last
}
