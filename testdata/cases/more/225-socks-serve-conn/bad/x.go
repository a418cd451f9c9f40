package socks

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"time"
)

// Config changes how the server works.
type Config struct {
	Dial  func(ctx context.Context, network, addr string) (net.Conn, error)
	Limit time.Duration
}

// Server speaks the fifth version of the protocol.
type Server struct {
	cfg Config
}

// New fills in what cfg leaves out.
func New(cfg Config) *Server {
	if cfg.Dial == nil {
		cfg.Dial = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	}
	if cfg.Limit == 0 {
		cfg.Limit = 30 * time.Second
	}
	return &Server{cfg: cfg}
}

// Serve takes connections from l.
func (s *Server) Serve(l net.Listener) error {
	for {
		conn, err := l.Accept() // ALT(edge)
		if err != nil {
			return err
		}
		go func() { // ALT(edge)
			defer conn.Close()
			if err := s.serveConn(conn); err != nil { // ALT(edge)
				log.Printf("socks: %v", err)
			}
		}()
	}
}

func (s *Server) serveConn(conn net.Conn) error {
	br := bufio.NewReader(conn)
	ver, err := br.ReadByte() // BUG(edge) ALT(unbounded)
	if err != nil {
		return err
	}
	if ver != 5 {
		return fmt.Errorf("version %d", ver)
	}
	addr, err := s.negotiate(br, conn)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.Limit)
	defer cancel()
	out, err := s.cfg.Dial(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer out.Close()
	return relay(conn, br, out)
}

func (s *Server) negotiate(br *bufio.Reader, w io.Writer) (string, error) {
	n, err := br.ReadByte()
	if err != nil {
		return "", err
	}
	if _, err := br.Discard(int(n)); err != nil {
		return "", err
	}
	if _, err := w.Write([]byte{5, 0}); err != nil {
		return "", err
	}
	head := make([]byte, 10)
	if _, err := io.ReadFull(br, head); err != nil {
		return "", err
	}
	if head[1] != 1 || head[3] != 1 {
		return "", errors.New("only connect to an address is known")
	}
	port := int(head[8])<<8 | int(head[9])
	_, err = w.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	return fmt.Sprintf("%s:%d", net.IP(head[4:8]), port), err
}

func relay(a net.Conn, ar io.Reader, b net.Conn) error {
	errs := make(chan error, 2)
	go func() {
		_, err := io.Copy(b, ar)
		errs <- err
	}()
	go func() {
		_, err := io.Copy(a, b)
		errs <- err
	}()
	return <-errs
}
