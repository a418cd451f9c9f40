// Package alerts holds back repeated alerts.
package alerts

import (
	"fmt"
	"sync"
	"time"
)

// Sender delivers a text.
type Sender interface{ Send(text string) error }

type entry struct {
	at    time.Time
	count int
}

// Gate lets an alert through once per gap.
type Gate struct {
	out  Sender
	zone *time.Location
	gap  time.Duration

	mu   sync.Mutex
	sent map[string]entry
}

func NewGate(out Sender, zone string, gap time.Duration) (*Gate, error) {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return nil, err
	}
	return &Gate{out: out, zone: loc, gap: gap, sent: map[string]entry{}}, nil
}

func (g *Gate) now() time.Time { return time.Now() }

func (g *Gate) pass(key string, now time.Time) (held int, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	e, seen := g.sent[key]
	if seen && now.Sub(e.at) < g.gap {
		e.count++
		g.sent[key] = e
		return 0, false
	}
	g.sent[key] = entry{at: now}
	return e.count, true
}

// Notify sends an alert unless the same went out a short while ago.
func (g *Gate) Notify(key, text string) error {
	now := g.now()
	held, ok := g.pass(key, now)
	if !ok {
		return nil
	}
	stamp := now.In(g.zone).Format("15:04:05 MST")
	if held > 0 {
		text = fmt.Sprintf("%s (%d held back)", text, held)
	}
	return g.out.Send(stamp + " " + text)
}
