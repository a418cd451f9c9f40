// Package quorumread asks every replica and waits for all of them.
package quorumread

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

var errNoReplica = errors.New("no replica answered")

type result struct {
	body []byte
	err  error
}

// Reader reads from replicas.
type Reader struct {
	hc       *http.Client
	replicas []string
	slots    chan struct{}
}

func NewReader(hc *http.Client, replicas ...string) *Reader {
	return &Reader{hc: hc, replicas: replicas, slots: make(chan struct{}, 32)}
}

func (r *Reader) slot(ctx context.Context) error {
	select {
	case r.slots <- struct{}{}:
		return nil
	default:
	}
	select {
	case r.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *Reader) one(ctx context.Context, base, key string) ([]byte, error) {
	if err := r.slot(ctx); err != nil {
		return nil, err
	}
	defer func() { <-r.slots }()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/"+key, nil)
	if err != nil {
		return nil, err
	}
	resp, err := r.hc.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(io.LimitReader(resp.Body, 1<<20))
}

// Read gives the longest answer.
func (r *Reader) Read(ctx context.Context, key string) ([]byte, error) {
	var wg sync.WaitGroup
	out := make([]result, len(r.replicas))
	for i, base := range r.replicas {
		wg.Add(1)
		go func() {
			defer wg.Done()
			res := &out[i]
			res.body, res.err = r.one(ctx, base, key)
		}()
	}
	wg.Wait()
	return pick(out)
}

func pick(rs []result) ([]byte, error) {
	var best []byte
	errs := []error{errNoReplica}
	for _, r := range rs {
		if r.err != nil {
			errs = append(errs, r.err)
			continue
		}
		if best == nil || len(r.body) > len(best) {
			best = r.body
		}
	}
	if best == nil {
		return nil, errors.Join(errs...)
	}
	return best, nil
}
