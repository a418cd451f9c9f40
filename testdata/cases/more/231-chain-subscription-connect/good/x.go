package chainsub

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// Node is a node of the chain.
type Node struct {
	URL   string
	Token string
}

// Stream is a subscription.
type Stream struct {
	ws *websocket.Conn
}

func (n Node) header() http.Header {
	h := http.Header{}
	if n.Token != "" {
		h.Set("Authorization", "Bearer "+n.Token)
	}
	return h
}

func (n Node) dial(ctx context.Context) (*websocket.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := &websocket.Dialer{Proxy: http.ProxyFromEnvironment, ReadBufferSize: 64 << 10}
	ws, _, err := d.DialContext(ctx, n.URL, n.header())
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", n.URL, err)
	}
	return ws, nil
}

// Subscribe asks for events of a kind.
func (n Node) Subscribe(ctx context.Context, kind string) (*Stream, error) {
	ws, err := n.dial(ctx)
	if err != nil {
		return nil, err
	}
	_ = ws.SetWriteDeadline(time.Now().Add(5 * time.Second))
	if err := ws.WriteJSON(map[string]any{"method": "subscribe", "params": []string{kind}}); err != nil {
		ws.Close()
		return nil, err
	}
	return &Stream{ws: ws}, nil
}

// Each hands events to fn until ctx ends.
func (s *Stream) Each(ctx context.Context, fn func(json.RawMessage)) error {
	defer context.AfterFunc(ctx, func() { s.ws.Close() })()
	for {
		var m json.RawMessage
		if err := s.ws.ReadJSON(&m); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return err
		}
		fn(m)
	}
}
