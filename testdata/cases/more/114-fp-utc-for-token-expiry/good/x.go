package creds

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

type wire struct {
	Token     string `json:"token"`
	ExpiresAt string `json:"expires_at"`
}

// Creds is one parsed answer.
type Creds struct {
	Token   string
	Expires time.Time
	got     time.Time
}

func Parse(raw []byte) (*Creds, error) {
	var w wire
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, err
	}
	exp, err := time.Parse(time.RFC3339, w.ExpiresAt)
	if err != nil {
		return nil, fmt.Errorf("expires_at: %w", err)
	}
	return &Creds{Token: w.Token, Expires: exp, got: time.Now()}, nil
}

// Valid tells whether the token can still be used.
func (c *Creds) Valid(skew time.Duration) bool {
	return time.Now().UTC().Add(skew).Before(c.Expires)
}

func (c *Creds) Age() time.Duration { return time.Since(c.got) }

type Holder struct {
	mu  sync.Mutex
	cur *Creds
}

func (h *Holder) Set(c *Creds) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cur = c
	slog.Info("new token", "at", c.got.UTC().Format(time.RFC3339), "expires", c.Expires)
}

func (h *Holder) Get() (*Creds, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cur == nil || !h.cur.Valid(30*time.Second) || h.cur.Age() > time.Hour {
		return nil, false
	}
	return h.cur, true
}
