package ledger

import (
	"errors"
	"time"
)

// ErrClosed is all that a station says when the run is over.
var ErrClosed = errors.New("the run is over")

// A Station is a place where work is done: a worker of A, B or C, or a connection to the database. How many there are, and who
// waits for one, is not its business.
type Station struct {
	ledger *Ledger
	name   string
	takes  time.Duration
	calls  int
	busy   time.Duration
	wasted time.Duration
}

// Do works on the request: first rest, which may be nil, such as a query, and then something of the station's own, which is like
// a computation in that nothing interrupts it, until the station's time has passed. It returns the error of rest, at once, or
// ErrClosed.
func (s *Station) Do(id string, rest func() error) error {
	if !s.ledger.open() {
		return ErrClosed
	}
	began := time.Now()
	defer s.account(id, began)
	if rest != nil {
		if err := rest(); err != nil {
			return err
		}
	}
	time.Sleep(time.Until(began.Add(s.takes)))
	return nil
}

// account notes what the work since from was for.
func (s *Station) account(id string, from time.Time) {
	to := time.Now()
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	r := s.ledger.requests[id]
	if r == nil {
		return // of the warm-up
	}
	s.calls++
	s.busy += to.Sub(from)
	r.busy += to.Sub(from)
	if over := r.over(); over.Before(to) {
		late := min(to.Sub(over), to.Sub(from))
		s.wasted += late
		r.wasted += late
	}
}
