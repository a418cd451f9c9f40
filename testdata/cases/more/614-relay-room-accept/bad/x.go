// Package relay pairs two peers that name the same room.
package relay

import (
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"
)

// comm frames messages on a connection.
type comm struct{ c net.Conn }

func (m *comm) receive() ([]byte, error) {
	var n [4]byte
	if _, err := io.ReadFull(m.c, n[:]); err != nil { // ALT(bareserver)
		return nil, err
	}
	size := binary.LittleEndian.Uint32(n[:])
	if size > 1<<16 {
		return nil, errors.New("too long")
	}
	b := make([]byte, size)
	_, err := io.ReadFull(m.c, b)
	return b, err
}

func (m *comm) send(b []byte) error {
	_, err := m.c.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...))
	return err
}

type room struct {
	first  *comm
	opened time.Time
}

// Server pairs peers.
type Server struct {
	password string
	mu       sync.Mutex
	rooms    map[string]*room
}

func New(password string) *Server { return &Server{password: password, rooms: map[string]*room{}} }

// Serve takes connections until the listener is closed.
func (s *Server) Serve(ln net.Listener) error {
	for {
		conn, err := ln.Accept() // ALT(bareserver)
		if err != nil {
			return err
		}
		go func(c net.Conn) { // ALT(bareserver)
			if err := s.greet(&comm{c}); err != nil { // BUG(bareserver)
				slog.Debug("peer left", "addr", c.RemoteAddr(), "err", err)
				c.Close()
			}
		}(conn)
	}
}

func (s *Server) greet(m *comm) error {
	pw, err := m.receive() // ALT(bareserver)
	if err != nil {
		return err
	}
	if string(pw) != s.password {
		return errors.New("bad password")
	}
	if err := m.send([]byte("ok")); err != nil {
		return err
	}
	name, err := m.receive()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.rooms[string(name)]; r != nil {
		delete(s.rooms, string(name))
		go pair(r.first.c, m.c)
		return nil
	}
	s.rooms[string(name)] = &room{first: m, opened: time.Now()}
	return nil
}

func pair(a, b net.Conn) {
	go func() { io.Copy(a, b); a.Close(); b.Close() }()
	io.Copy(b, a)
	a.Close()
	b.Close()
}
