// Package whoisexp exports when domains expire.
package whoisexp

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// Collector asks registries now and then and keeps what they said.
type Collector struct {
	servers map[string]string
	every   time.Duration

	mu   sync.RWMutex
	ends map[string]time.Time
}

func New(servers map[string]string, every time.Duration) *Collector {
	return &Collector{servers: servers, every: every, ends: map[string]time.Time{}}
}

func (c *Collector) raw(server, domain string) (string, error) {
	conn, err := net.DialTimeout("tcp", net.JoinHostPort(server, "43"), 5*time.Second)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(conn, "%s\r\n", domain); err != nil {
		return "", err
	}
	b, err := io.ReadAll(io.LimitReader(conn, 1<<18))
	return string(b), err
}

func expiry(text string) (time.Time, bool) {
	for line := range strings.Lines(text) {
		k, v, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || !strings.Contains(strings.ToLower(k), "expir") {
			continue
		}
		if t, err := time.Parse(time.RFC3339, strings.TrimSpace(v)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func (c *Collector) refresh() {
	for domain, server := range c.servers {
		text, err := c.raw(server, domain)
		if err != nil {
			continue
		}
		if t, ok := expiry(text); ok {
			c.mu.Lock()
			c.ends[domain] = t
			c.mu.Unlock()
		}
	}
}

// Start refreshes for the life of the process.
func (c *Collector) Start() {
	go func() {
		for {
			c.refresh()
			time.Sleep(c.every)
		}
	}()
}

// Ends tells when a domain expires.
func (c *Collector) Ends(domain string) (time.Time, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	t, ok := c.ends[domain]
	return t, ok
}
