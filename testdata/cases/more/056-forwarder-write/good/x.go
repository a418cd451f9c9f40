package forward

import (
	"encoding/json"
	"fmt"
	"net"
	"sync"
	"time"
)

const (
	dialLimit  = 3 * time.Second
	writeLimit = 3 * time.Second
)

// Record is one log line.
type Record struct {
	At     time.Time         `json:"at"`
	Tag    string            `json:"tag"`
	Fields map[string]string `json:"fields"`
}

// Forwarder ships records to a collector.
type Forwarder struct {
	addr string
	mu   sync.Mutex
	conn net.Conn
}

func New(addr string) *Forwarder { return &Forwarder{addr: addr} }

func (f *Forwarder) connect() error {
	if f.conn != nil {
		return nil
	}
	c, err := net.DialTimeout("tcp", f.addr, dialLimit)
	if err != nil {
		return fmt.Errorf("collector: %w", err)
	}
	f.conn = c
	return nil
}

// Post ships one record, reconnecting once.
func (f *Forwarder) Post(r Record) error {
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for try := 0; ; try++ {
		if err := f.connect(); err != nil {
			return err
		}
		f.conn.SetWriteDeadline(time.Now().Add(writeLimit))
		if _, err = f.conn.Write(append(raw, '\n')); err == nil {
			return nil
		}
		f.conn.Close()
		f.conn = nil
		if try == 1 {
			return err
		}
	}
}

func (f *Forwarder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn == nil {
		return nil
	}
	return f.conn.Close()
}
