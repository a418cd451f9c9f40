// Package bad delivers notifications; what fails is delivered again later.
package bad

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// Note is one notification.
type Note struct {
	URL  string
	Body []byte
}

// Courier delivers notes.
type Courier struct {
	hc  *http.Client
	log *slog.Logger
	max time.Duration
}

// New makes a Courier.
func New(log *slog.Logger) *Courier {
	return &Courier{hc: &http.Client{Timeout: 15 * time.Second}, log: log, max: 10 * time.Minute}
}

func (c *Courier) post(ctx context.Context, n Note) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, n.URL, bytes.NewReader(n.Body))
	if err != nil {
		return err
	}
	resp, err := c.hc.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("answer %s", resp.Status)
	}
	return nil
}

func (c *Courier) delay(try int) time.Duration {
	return min(time.Second<<min(try, 16), c.max)
}

// Deliver sends n now, and again later until it is taken or ctx, the life of
// the service, ends.
func (c *Courier) Deliver(ctx context.Context, n Note) { c.attempt(ctx, n, 0) }

func (c *Courier) attempt(ctx context.Context, n Note, try int) {
	err := c.post(ctx, n)
	if err == nil {
		return
	}
	c.log.Warn("not delivered", "url", n.URL, "try", try, "err", err)
	time.AfterFunc(c.delay(try), func() { // BUG(blindretry)
		c.attempt(ctx, n, try+1) // ALT(blindretry)
	})
}
