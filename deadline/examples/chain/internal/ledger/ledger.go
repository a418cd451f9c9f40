// Package ledger keeps the accounts of a run: what each station did, for which request, and what of that was for nobody.
//
// It is the same for all variants and knows more than any service could: all services of the example are one process, so the
// ledger knows by the number of a request when its browser stopped waiting. Nothing of that reaches the services.
package ledger

import (
	"sync"
	"time"
)

// A Ledger is the account of one run.
type Ledger struct {
	mu       sync.Mutex
	closed   bool
	requests map[string]*request
	stations []*Station
}

// request is what is known about one order of a browser.
type request struct {
	deadline time.Time
	ended    time.Time // when the browser had its answer or left; zero until then
	ok       bool
	busy     time.Duration // of all stations together
	wasted   time.Duration // of it, after the end of the request
}

// over is the moment after which work for the request is of no use to anybody.
func (r *request) over() time.Time {
	if !r.ended.IsZero() && r.ended.Before(r.deadline) {
		return r.ended
	}
	return r.deadline
}

// New returns an empty ledger.
func New() *Ledger { return &Ledger{requests: map[string]*request{}} }

// Station adds a station. A request takes so long there, or longer if what the station calls does; 0 is just that.
func (l *Ledger) Station(name string, takes time.Duration) *Station {
	s := &Station{ledger: l, name: name, takes: takes}
	l.stations = append(l.stations, s)
	return s
}

// Begin notes that a browser asks, and until when it waits.
func (l *Ledger) Begin(id string, deadline time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests[id] = &request{deadline: deadline}
}

// End notes that the browser has what it asked for (ok), or an error, or has left.
func (l *Ledger) End(id string, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.requests[id]; r != nil {
		r.ended, r.ok = time.Now(), ok
	}
}

// Close ends the run: from now on stations do nothing, so that what is left in the queues drains at once, and is not counted.
func (l *Ledger) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

func (l *Ledger) open() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.closed
}

// An Account is what stations did.
type Account struct {
	Name   string
	Calls  int           // how often it worked
	Busy   time.Duration // the time that places of the station were taken
	Wasted time.Duration // of it, after the deadline of the request, or after its browser had an answer or left
}

// Accounts returns those of the stations, and the time that all of them spent on requests that were answered in time, up to their
// answer.
func (l *Ledger) Accounts() (stations []Account, useful time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.stations {
		stations = append(stations, Account{s.name, s.calls, s.busy, s.wasted})
	}
	for _, r := range l.requests {
		if r.ok {
			useful += r.busy - r.wasted
		}
	}
	return stations, useful
}
