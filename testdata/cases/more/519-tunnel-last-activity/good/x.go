package tunnel

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// epoch is what activity is counted from, by the monotonic clock.
var epoch = time.Now()

type link struct {
	net.Conn
	last atomic.Int64
}

func newLink(c net.Conn) *link {
	l := &link{Conn: c}
	l.touch()
	return l
}

func (l *link) touch() { l.last.Store(int64(time.Since(epoch))) }

func (l *link) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b)
	if n > 0 {
		l.touch()
	}
	return n, err
}

func (l *link) idle() time.Duration {
	return time.Since(epoch) - time.Duration(l.last.Load())
}

// Table holds the open links and closes those that idle.
type Table struct {
	mu    sync.Mutex
	links map[uint64]*link
	next  uint64
	limit time.Duration
}

func NewTable(limit time.Duration) *Table {
	return &Table{links: map[uint64]*link{}, limit: limit}
}

func (t *Table) Add(c net.Conn) net.Conn {
	l := newLink(c)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next++
	t.links[t.next] = l
	return l
}

// Reap closes idle links and says how many there were.
func (t *Table) Reap() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, l := range t.links {
		if l.idle() < t.limit {
			continue
		}
		_ = l.Close()
		delete(t.links, id)
		n++
	}
	return n
}
