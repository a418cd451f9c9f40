package supervise

import (
	"log/slog"
	"sync"
	"time"
)

type status struct {
	lastCheckin time.Time
	missed      int
}

// Supervisor restarts components that stop checking in.
type Supervisor struct {
	mu      sync.Mutex
	comps   map[string]*status
	period  time.Duration
	max     int
	restart func(name string)
	quit    chan struct{}
}

func New(period time.Duration, restart func(string)) *Supervisor {
	return &Supervisor{comps: map[string]*status{}, period: period, max: 3, restart: restart, quit: make(chan struct{})}
}

func now() time.Time { return time.Now().UTC() } // ALT(wallclock)

// Checkin is called whenever a component reports.
func (s *Supervisor) Checkin(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st, ok := s.comps[name]
	if !ok {
		st = new(status)
		s.comps[name] = st
	}
	st.lastCheckin = now() // ALT(wallclock)
	st.missed = 0
}

func (s *Supervisor) review() {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := now()
	for name, st := range s.comps {
		if at.Sub(st.lastCheckin) <= s.period { // BUG(wallclock)
			continue
		}
		st.missed++
		if st.missed > s.max {
			slog.Warn("component silent", "name", name, "since", st.lastCheckin)
			delete(s.comps, name)
			go s.restart(name)
		}
	}
}

// Run reviews the components every period.
func (s *Supervisor) Run() {
	t := time.NewTicker(s.period)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			s.review()
		case <-s.quit:
			return
		}
	}
}
