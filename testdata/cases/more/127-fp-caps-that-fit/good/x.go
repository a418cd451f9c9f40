package notifier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	total   = 20 * time.Second
	attempt = 5 * time.Second
	pause   = time.Second
)

type Hook struct {
	url string
	hc  *http.Client
}

func New(url string) *Hook { return &Hook{url: url, hc: &http.Client{Timeout: attempt}} }

func (h *Hook) post(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := h.hc.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("hook: %s", resp.Status)
	}
	return nil
}

// Send posts body, up to three times.
func (h *Hook) Send(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, total)
	defer cancel()
	var errs []error
	for i := 0; i < 3; i++ {
		err := h.post(ctx, body)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
		if until, ok := ctx.Deadline(); ok && time.Until(until) < attempt+pause {
			break
		}
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return errors.Join(append(errs, ctx.Err())...)
		}
	}
	return errors.Join(errs...)
}
