// Package bad receives messages of a management server over a websocket.
package bad

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/gorilla/websocket"
)

// Message is what the server sends.
type Message struct {
	Instance string          `json:"instance"`
	Config   json.RawMessage `json:"config"`
}

// Receiver reads from one connection.
type Receiver struct {
	conn      *websocket.Conn
	log       *slog.Logger
	onMessage func(context.Context, *Message)
}

// NewReceiver makes a Receiver on conn.
func NewReceiver(conn *websocket.Conn, log *slog.Logger, fn func(context.Context, *Message)) *Receiver {
	return &Receiver{conn: conn, log: log, onMessage: fn}
}

// Loop handles messages until ctx ends or the connection fails.
func (r *Receiver) Loop(ctx context.Context) {
	for {
		select { // BUG(deafctx)
		case <-ctx.Done():
			return
		default: // ALT(deafctx)
			var m Message
			if err := r.receive(&m); err != nil { // ALT(deafctx) ALT(ctxless) ALT(unbounded)
				if websocket.IsUnexpectedCloseError(err, websocket.CloseNormalClosure) {
					r.log.Error("receive", "err", err)
				}
				return
			}
			r.onMessage(ctx, &m)
		}
	}
}

func (r *Receiver) receive(m *Message) error {
	kind, data, err := r.conn.ReadMessage() // ALT(deafctx) ALT(ctxless) ALT(unbounded)
	if err != nil {
		return err
	}
	if kind != websocket.TextMessage {
		return fmt.Errorf("message of type %d", kind)
	}
	return json.Unmarshal(data, m)
}
