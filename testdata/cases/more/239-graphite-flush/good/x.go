package graphite

import (
	"bufio"
	"fmt"
	"log"
	"net"
	"sync"
	"time"
)

// Registry is where the numbers come from.
type Registry interface {
	Each(func(name string, value float64))
}

// Reporter sends numbers to a carbon server.
type Reporter struct {
	addr   string
	prefix string
	every  time.Duration
	reg    Registry
	stop   chan struct{}
	once   sync.Once
}

// Start sends the numbers of reg every so often.
func Start(addr, prefix string, every time.Duration, reg Registry) *Reporter {
	r := &Reporter{addr: addr, prefix: prefix, every: every, reg: reg, stop: make(chan struct{})}
	go r.run()
	return r
}

// Stop ends the reports.
func (r *Reporter) Stop() { r.once.Do(func() { close(r.stop) }) }

func (r *Reporter) run() {
	t := time.NewTicker(r.every)
	defer t.Stop()
	for {
		select {
		case <-r.stop:
			return
		case now := <-t.C:
			if err := r.flush(now); err != nil {
				log.Printf("graphite: %v", err)
			}
		}
	}
}

func (r *Reporter) flush(now time.Time) error {
	conn, err := net.DialTimeout("tcp", r.addr, 5*time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(r.every)); err != nil {
		return err
	}
	w := bufio.NewWriter(conn)
	r.reg.Each(func(name string, v float64) {
		fmt.Fprintf(w, "%s.%s %g %d\n", r.prefix, name, v, now.Unix())
	})
	return w.Flush()
}
