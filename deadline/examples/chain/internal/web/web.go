// Package web is what the services have in common of HTTP.
package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Transport returns the transport of one client, with room for as many idle connections as the example has use for.
func Transport() *http.Transport {
	return &http.Transport{MaxIdleConnsPerHost: 256, IdleConnTimeout: 10 * time.Second, DisableCompression: true}
}

// A Client calls one service.
type Client struct {
	Base string // such as http://127.0.0.1:1234
	HTTP *http.Client
}

// Get returns what the service answers at path. It ends with ctx, and with the client's timeout.
func (c Client) Get(ctx context.Context, path string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Base+path, nil)
	if err != nil {
		return "", err
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", path, resp.Status)
	}
	return string(body), nil
}

// Answer writes text, or what err means: 504 if it was the time, else 502.
func Answer(w http.ResponseWriter, text string, err error) {
	var timeout interface{ Timeout() bool }
	switch {
	case err == nil:
		_, _ = io.WriteString(w, text) // fails if the caller left, and then there is no one to tell
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout(), status.Code(err) == codes.DeadlineExceeded:
		http.Error(w, err.Error(), http.StatusGatewayTimeout)
	default:
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

// Handle is a server's handler with one route.
func Handle(pattern string, handler http.HandlerFunc) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(pattern, handler)
	return mux
}
