// Package good fetches feeds; several feeds share one transport.
package good

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"
	"time"
)

// capped is a transport that allows each exchange a fixed time, the reading of
// the body included.
type capped struct {
	next  http.RoundTripper
	limit time.Duration
}

// RoundTrip implements http.RoundTripper.
func (c *capped) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), c.limit)
	resp, err := c.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &cancelBody{ReadCloser: resp.Body, cancel: cancel}
	return resp, nil
}

type cancelBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *cancelBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// Entry is one article of a feed.
type Entry struct {
	Title string `xml:"title"`
	Link  string `xml:"link"`
}

// Fetcher is driven by the scheduler, feed after feed.
type Fetcher struct {
	client *http.Client

	mu    sync.Mutex
	etags map[string]string
}

// NewFetcher returns a fetcher whose requests take at most limit each.
func NewFetcher(limit time.Duration) *Fetcher {
	return &Fetcher{
		client: newClient(&capped{next: http.DefaultTransport, limit: limit}),
		etags:  make(map[string]string),
	}
}

func newClient(rt http.RoundTripper) *http.Client {
	return &http.Client{
		Transport: rt,
		CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			if len(via) > 3 {
				return errors.New("too many redirects")
			}
			return nil
		},
	}
}

// Fetch returns the feed's entries; none if it has not changed.
func (f *Fetcher) Fetch(url string) ([]Entry, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	if tag := f.etag(url); tag != "" {
		req.Header.Set("If-None-Match", tag)
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusNotModified:
		return nil, nil
	case http.StatusOK:
	default:
		return nil, fmt.Errorf("%s: %s", url, resp.Status)
	}
	var feed struct {
		Entries []Entry `xml:"channel>item"`
	}
	if err := xml.NewDecoder(io.LimitReader(resp.Body, 8<<20)).Decode(&feed); err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	f.setETag(url, resp.Header.Get("ETag"))
	return feed.Entries, nil
}

func (f *Fetcher) etag(url string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.etags[url]
}

func (f *Fetcher) setETag(url, tag string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.etags[url] = tag
}

// Round fetches all feeds and hands their entries to store.
func (f *Fetcher) Round(urls []string, store func(url string, es []Entry)) {
	for _, u := range urls {
		es, err := f.Fetch(u)
		if err != nil {
			log.Printf("feed: %v", err)
			continue
		}
		store(u, es)
	}
}
