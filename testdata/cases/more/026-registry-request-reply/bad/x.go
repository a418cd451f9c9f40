package registry

import (
	"context"
	"errors"
	"net"
	"time"
)

var ErrStopped = errors.New("stopped")

type answer struct {
	conn net.Conn
	err  error
}

type request struct {
	name  string
	reply chan answer
}

// Registry owns the connections; one goroutine touches the map.
type Registry struct {
	reqs  chan request
	quit  chan struct{}
	conns map[string]net.Conn
}

func Start() *Registry {
	r := &Registry{reqs: make(chan request), quit: make(chan struct{}), conns: map[string]net.Conn{}}
	go r.loop()
	return r
}

func (r *Registry) Stop() { close(r.quit) }

func (r *Registry) loop() {
	for {
		select {
		case q := <-r.reqs:
			c, ok := r.conns[q.name]
			var err error
			if !ok {
				if c, err = net.DialTimeout("tcp", q.name, time.Minute); err == nil {
					r.conns[q.name] = c
				}
			}
			q.reply <- answer{c, err}
		case <-r.quit:
			for _, c := range r.conns {
				c.Close()
			}
			return
		}
	}
}

// Conn returns the connection to name.
func (r *Registry) Conn(ctx context.Context, name string) (net.Conn, error) {
	q := request{name: name, reply: make(chan answer, 1)}
	select {
	case r.reqs <- q:
	case <-r.quit:
		return nil, ErrStopped
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	a := <-q.reply // BUG(deafwait)
	return a.conn, a.err
}
