// Package quorum writes a value to enough replicas.
package quorum

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const (
	total = 20 * time.Second
	most  = 8 * time.Second
	least = 500 * time.Millisecond
	tries = 5
)

var errNoTime = errors.New("quorum: no time for another try")

// Writer writes to one replica after the other.
type Writer struct {
	HC       *http.Client
	Replicas []string
}

// share is the part of the remaining time that the next of n tries may take.
func share(ctx context.Context, n int) (time.Duration, bool) {
	d, ok := ctx.Deadline()
	if !ok {
		return most, true
	}
	part := min(time.Until(d)/time.Duration(n), most)
	return part, part >= least
}

func (w *Writer) put(ctx context.Context, part time.Duration, url, body string) error {
	ctx, cancel := context.WithTimeout(ctx, part)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	res, err := w.HC.Do(req)
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode >= 300 {
		return fmt.Errorf("put: %s", res.Status)
	}
	return nil
}

// Put writes to the first replica that takes the value.
func (w *Writer) Put(ctx context.Context, key, body string) error {
	ctx, cancel := context.WithTimeout(ctx, total)
	defer cancel()
	var last error
	for i := 0; i < tries; i++ {
		part, ok := share(ctx, tries-i)
		if !ok {
			return errors.Join(errNoTime, last)
		}
		if last = w.put(ctx, part, w.Replicas[i%len(w.Replicas)]+"/"+key, body); last == nil {
			return nil
		}
		if ctx.Err() != nil {
			return last
		}
	}
	return last
}
