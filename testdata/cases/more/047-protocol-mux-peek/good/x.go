package mux

import (
	"bufio"
	"log"
	"net"
	"sync"
	"time"
)

const sniffLimit = 30 * time.Second

type peeked struct {
	net.Conn
	br *bufio.Reader
}

func (p *peeked) Read(b []byte) (int, error) { return p.br.Read(b) }

// Mux splits one listener by the first byte.
type Mux struct {
	root net.Listener
	mu   sync.Mutex
	subs map[byte]chan net.Conn
	rest chan net.Conn
}

func New(l net.Listener) *Mux {
	return &Mux{root: l, subs: map[byte]chan net.Conn{}, rest: make(chan net.Conn, 16)}
}

func (m *Mux) Match(first byte) <-chan net.Conn {
	m.mu.Lock()
	defer m.mu.Unlock()
	ch := make(chan net.Conn, 16)
	m.subs[first] = ch
	return ch
}

func (m *Mux) Rest() <-chan net.Conn { return m.rest }

func (m *Mux) sniff(c net.Conn) (*peeked, byte, error) {
	p := &peeked{Conn: c, br: bufio.NewReader(c)}
	if err := c.SetReadDeadline(time.Now().Add(sniffLimit)); err != nil {
		return nil, 0, err
	}
	b, err := p.br.Peek(1)
	if err != nil {
		return nil, 0, err
	}
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		return nil, 0, err
	}
	return p, b[0], nil
}

// Serve runs until the listener fails.
func (m *Mux) Serve() error {
	for {
		c, err := m.root.Accept()
		if err != nil {
			return err
		}
		p, first, err := m.sniff(c)
		if err != nil {
			log.Printf("sniff %s: %v", c.RemoteAddr(), err)
			c.Close()
			continue
		}
		m.mu.Lock()
		ch, ok := m.subs[first]
		m.mu.Unlock()
		if !ok {
			ch = m.rest
		}
		select {
		case ch <- p:
		default:
			c.Close()
		}
	}
}
