package feed

import (
	"context"
	"errors"
	"net"
	"sync"
)

var ErrClosed = errors.New("subscription closed")

type Event struct {
	Topic string
	Data  []byte
}

// Sub is one subscription; a reader fills it from the connection.
type Sub struct {
	events chan Event
	done   chan struct{}
	once   sync.Once
}

func subscribe(conn net.Conn, decode func([]byte) (Event, error)) *Sub {
	s := &Sub{events: make(chan Event, 16), done: make(chan struct{})}
	go s.read(conn, decode)
	return s
}

func (s *Sub) read(conn net.Conn, decode func([]byte) (Event, error)) {
	defer s.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return
		}
		ev, err := decode(buf[:n])
		if err != nil {
			continue
		}
		select {
		case s.events <- ev:
		case <-s.done:
			return
		}
	}
}

func (s *Sub) Close() { s.once.Do(func() { close(s.done) }) }

// Next returns the next event.
func (s *Sub) Next(ctx context.Context) (Event, error) {
	if err := ctx.Err(); err != nil {
		return Event{}, err
	}
	select {
	case ev := <-s.events:
		return ev, nil
	case <-s.done:
		return Event{}, ErrClosed
	case <-ctx.Done():
		return Event{}, ctx.Err()
	}
}
