// Package good schedules renderings in the order of their importance.
package good

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrLate is given to those whose time has passed in the queue.
var ErrLate = errors.New("too late")

// ErrFull is returned when there is no room.
var ErrFull = errors.New("queue full")

// Sheet is what to render.
type Sheet struct{ Width, Height int }

type order struct {
	sheet Sheet
	until time.Time
	reply func([]byte, error)
}

type lanes struct {
	mu   sync.Mutex
	wake *sync.Cond
	all  [3][]order
	n    int
	shut bool
}

func newLanes() *lanes {
	l := &lanes{}
	l.wake = sync.NewCond(&l.mu)
	return l
}

func (l *lanes) put(lane int, o order) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.n == 256 || l.shut {
		return ErrFull
	}
	l.all[lane] = append(l.all[lane], o)
	l.n++
	l.wake.Signal()
	return nil
}

// next returns the most important order that is still in time.
func (l *lanes) next() (order, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		for i := range l.all {
			for len(l.all[i]) > 0 {
				o := l.all[i][0]
				l.all[i] = l.all[i][1:]
				l.n--
				if time.Now().Before(o.until) {
					return o, true
				}
				go o.reply(nil, ErrLate)
			}
		}
		if l.shut {
			return order{}, false
		}
		l.wake.Wait()
	}
}

func (l *lanes) close() {
	l.mu.Lock()
	l.shut = true
	l.mu.Unlock()
	l.wake.Broadcast()
}

// Server renders on n workers.
type Server struct {
	q      *lanes
	render func(Sheet) ([]byte, error)
	wg     sync.WaitGroup
}

// NewServer starts the workers.
func NewServer(n int, render func(Sheet) ([]byte, error)) *Server {
	s := &Server{q: newLanes(), render: render}
	for range n {
		s.wg.Add(1)
		go func() {
			defer s.wg.Done()
			for o, ok := s.q.next(); ok; o, ok = s.q.next() {
				o.reply(s.render(o.sheet))
			}
		}()
	}
	return s
}

// Render waits for its turn and for the picture.
func (s *Server) Render(ctx context.Context, lane int, sh Sheet) ([]byte, error) {
	until, ok := ctx.Deadline()
	if !ok {
		until = time.Now().Add(time.Minute)
	}
	type res struct {
		b   []byte
		err error
	}
	got := make(chan res, 1)
	if err := s.q.put(lane, order{sh, until, func(b []byte, err error) { got <- res{b, err} }}); err != nil {
		return nil, err
	}
	select {
	case r := <-got:
		return r.b, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close lets the workers end.
func (s *Server) Close() {
	s.q.close()
	s.wg.Wait()
}
