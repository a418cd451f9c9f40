package chat

import (
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

const (
	pongWait  = 60 * time.Second
	writeWait = 10 * time.Second
)

type member struct {
	c    *websocket.Conn
	send chan []byte
}

func (m *member) prepare() {
	m.c.SetReadLimit(4096)
	m.c.SetReadDeadline(time.Now().Add(pongWait))
	m.c.SetPongHandler(func(string) error {
		return m.c.SetReadDeadline(time.Now().Add(pongWait))
	})
}

func (m *member) read(use func([]byte)) {
	for {
		_, b, err := m.c.ReadMessage()
		if err != nil {
			return
		}
		use(b)
	}
}

func (m *member) write() {
	t := time.NewTicker(pongWait * 9 / 10)
	defer t.Stop()
	defer m.c.Close()
	for {
		select {
		case b, ok := <-m.send:
			m.c.SetWriteDeadline(time.Now().Add(writeWait))
			if !ok {
				m.c.WriteMessage(websocket.CloseMessage, nil)
				return
			}
			if m.c.WriteMessage(websocket.TextMessage, b) != nil {
				return
			}
		case <-t.C:
			m.c.SetWriteDeadline(time.Now().Add(writeWait))
			if m.c.WriteMessage(websocket.PingMessage, nil) != nil {
				return
			}
		}
	}
}

// Room passes messages on.
type Room struct {
	up    websocket.Upgrader
	enter chan *member
	leave chan *member
	msgs  chan []byte
}

func NewRoom() *Room {
	r := &Room{enter: make(chan *member), leave: make(chan *member), msgs: make(chan []byte)}
	go r.run()
	return r
}

func (r *Room) run() {
	all := map[*member]bool{}
	for {
		select {
		case m := <-r.enter:
			all[m] = true
		case m := <-r.leave:
			if all[m] {
				delete(all, m)
				close(m.send)
			}
		case b := <-r.msgs:
			for m := range all {
				select {
				case m.send <- b:
				default:
					delete(all, m)
					close(m.send)
				}
			}
		}
	}
}

func (r *Room) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	c, err := r.up.Upgrade(w, req, nil)
	if err != nil {
		return
	}
	m := &member{c: c, send: make(chan []byte, 32)}
	r.enter <- m
	go m.write()
	m.prepare()
	m.read(func(b []byte) { r.msgs <- b })
	r.leave <- m
	c.Close()
}
