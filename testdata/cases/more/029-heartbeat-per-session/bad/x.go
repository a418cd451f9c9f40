package session

import (
	"context"
	"encoding/json"
	"net"
	"time"
)

// Sink stores what clients send.
type Sink interface {
	Store(ctx context.Context, id string, line json.RawMessage) error
}

type Session struct {
	id    string
	conn  net.Conn
	every time.Duration
	sink  Sink
}

func New(id string, c net.Conn, every time.Duration, s Sink) *Session {
	return &Session{id: id, conn: c, every: every, sink: s}
}

// Serve handles one client until it leaves or ctx ends.
func (s *Session) Serve(ctx context.Context) error {
	defer s.conn.Close()
	stop := context.AfterFunc(ctx, func() { s.conn.Close() })
	defer stop()
	go s.heartbeat(ctx) // BUG(orphan)
	dec := json.NewDecoder(s.conn)
	for {
		s.conn.SetReadDeadline(time.Now().Add(3 * s.every))
		var line json.RawMessage
		if err := dec.Decode(&line); err != nil {
			return err
		}
		if err := s.sink.Store(ctx, s.id, line); err != nil {
			return err
		}
	}
}

func (s *Session) heartbeat(ctx context.Context) {
	t := time.NewTicker(s.every)
	defer t.Stop()
	for range t.C { // ALT(deafwait) ALT(orphan)
		s.conn.SetWriteDeadline(time.Now().Add(time.Second))
		s.conn.Write([]byte("ping\n"))
	}
}
