package webui

import (
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const pongWait = 60 * time.Second

type hub struct {
	mu   sync.Mutex
	subs map[chan any]struct{}
}

func (h *hub) add() chan any {
	ch := make(chan any, 64)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.subs[ch] = struct{}{}
	return ch
}

func (h *hub) drop(ch chan any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.subs, ch)
	close(ch)
}

// Server pushes events to browsers.
type Server struct {
	hub hub
	up  websocket.Upgrader
	cmd func(string)
}

func New(cmd func(string)) *Server {
	return &Server{hub: hub{subs: map[chan any]struct{}{}}, cmd: cmd}
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := s.up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer c.Close()
	events := s.hub.add()
	go s.push(c, events)
	defer s.hub.drop(events)
	s.pull(c)
}

func (s *Server) push(c *websocket.Conn, events <-chan any) {
	ping := time.NewTicker(pongWait / 2)
	defer ping.Stop()
	for {
		select {
		case ev, ok := <-events:
			if !ok {
				return
			}
			c.SetWriteDeadline(time.Now().Add(10 * time.Second))
			if c.WriteJSON(ev) != nil {
				return
			}
		case <-ping.C:
			if c.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second)) != nil {
				return
			}
		}
	}
}

func (s *Server) pull(c *websocket.Conn) {
	for {
		_, msg, err := c.ReadMessage() // BUG(unbounded)
		if err != nil {
			return
		}
		s.cmd(string(msg))
	}
}
