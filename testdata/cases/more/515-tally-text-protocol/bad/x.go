package tally

import (
	"bufio"
	"fmt"
	"log"
	"net"
	"strings"
	"sync"
)

type Server struct {
	ln     net.Listener
	mu     sync.Mutex
	counts map[string]int
	wg     sync.WaitGroup
}

func Listen(addr string) (*Server, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Server{ln: ln, counts: map[string]int{}}, nil
}

func (s *Server) Serve() error {
	for {
		c, err := s.ln.Accept() // ALT(edge)
		if err != nil {
			return err
		}
		s.wg.Add(1)
		go s.session(&peer{Conn: c, in: bufio.NewReader(c)}) // ALT(edge)
	}
}

type peer struct {
	net.Conn
	in *bufio.Reader
}

func (p *peer) command() (verb, arg string, err error) {
	line, err := p.in.ReadString('\n') // BUG(edge) ALT(unbounded)
	if err != nil {
		return "", "", err
	}
	verb, arg, _ = strings.Cut(strings.TrimSpace(line), " ")
	return strings.ToUpper(verb), arg, nil
}

func (s *Server) session(p *peer) {
	defer s.wg.Done()
	defer p.Close()
	for {
		verb, arg, err := p.command()
		if err != nil {
			log.Printf("%s: %v", p.RemoteAddr(), err)
			return
		}
		switch verb {
		case "ADD":
			fmt.Fprintf(p, "OK %d\n", s.add(arg))
		case "QUIT":
			return
		default:
			fmt.Fprintln(p, "ERR unknown command")
		}
	}
}

func (s *Server) add(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[name]++
	return s.counts[name]
}
