// Package good serves HTTP and a binary protocol on one port.
package good

import (
	"bufio"
	"bytes"
	"errors"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

var magic = []byte{0x7f, 'R', 'P', 'C'}

const sniffTimeout = 5 * time.Second

// peeked gives back the bytes by which the protocol was told.
type peeked struct {
	net.Conn
	br *bufio.Reader
}

func (p *peeked) Read(b []byte) (int, error) { return p.br.Read(b) }

// branch is the listener of one of the protocols.
type branch struct {
	addr  net.Addr
	conns chan net.Conn
	done  chan struct{}
}

func (b *branch) Accept() (net.Conn, error) {
	select {
	case c := <-b.conns:
		return c, nil
	case <-b.done:
		return nil, net.ErrClosed
	}
}

func (b *branch) Addr() net.Addr { return b.addr }

// Close is a no-op: the port belongs to the splitter.
func (b *branch) Close() error { return nil }

// Splitter owns the port.
type Splitter struct {
	ln      net.Listener
	web     *branch
	rpc     *branch
	done    chan struct{}
	closing sync.Once
	wg      sync.WaitGroup
}

// NewSplitter divides the connections of ln.
func NewSplitter(ln net.Listener) *Splitter {
	s := &Splitter{ln: ln, done: make(chan struct{})}
	s.web = &branch{addr: ln.Addr(), conns: make(chan net.Conn), done: s.done}
	s.rpc = &branch{addr: ln.Addr(), conns: make(chan net.Conn), done: s.done}
	return s
}

// RPC is the listener of the binary protocol.
func (s *Splitter) RPC() net.Listener { return s.rpc }

// Serve accepts until Close.
func (s *Splitter) Serve() error {
	for {
		c, err := s.ln.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		s.wg.Add(1)
		go func() {
			defer s.wg.Done()
			s.assign(c)
		}()
	}
}

func (s *Splitter) assign(c net.Conn) {
	to, conn, err := s.sniff(c)
	if err != nil {
		log.Printf("%s: %v", c.RemoteAddr(), err)
		c.Close()
		return
	}
	select {
	case to.conns <- conn:
	case <-s.done:
		c.Close()
	}
}

func (s *Splitter) sniff(c net.Conn) (*branch, net.Conn, error) {
	if err := c.SetReadDeadline(time.Now().Add(sniffTimeout)); err != nil {
		return nil, nil, err
	}
	br := bufio.NewReaderSize(c, 512)
	head, err := br.Peek(len(magic))
	if err != nil {
		return nil, nil, err
	}
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		return nil, nil, err
	}
	conn := &peeked{Conn: c, br: br}
	if bytes.Equal(head, magic) {
		return s.rpc, conn, nil
	}
	return s.web, conn, nil
}

// ServeWeb runs h on the HTTP side of the port.
func (s *Splitter) ServeWeb(h http.Handler) error {
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
	}
	return srv.Serve(s.web)
}

// Close stops accepting and waits for connections that are being told apart.
func (s *Splitter) Close() error {
	err := s.ln.Close()
	s.closing.Do(func() { close(s.done) })
	s.wg.Wait()
	return err
}
