// Package tailws follows a remote log over a websocket.
package tailws

import (
	"context"
	"fmt"
	"time"

	"github.com/gorilla/websocket"
)

// Line is one log line.
type Line struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// Client follows logs.
type Client struct {
	url    string
	dialer websocket.Dialer
}

func New(url string) *Client {
	return &Client{url: url, dialer: websocket.Dialer{HandshakeTimeout: 5 * time.Second}}
}

// closeWith closes c when ctx ends.
func closeWith(ctx context.Context, c *websocket.Conn) {
	go func() {
		<-ctx.Done()
		deadline := time.Now().Add(time.Second)
		_ = c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), deadline)
		c.Close()
	}()
}

// Follow calls f for each line until the server or ctx ends it.
func (c *Client) Follow(ctx context.Context, pod string, f func(Line) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn, _, err := c.dialer.DialContext(ctx, c.url+"?pod="+pod, nil)
	if err != nil {
		return fmt.Errorf("follow %s: %w", pod, err)
	}
	closeWith(ctx, conn)
	return c.pump(ctx, conn, f)
}

func (c *Client) pump(ctx context.Context, conn *websocket.Conn, f func(Line) error) error {
	for {
		var l Line
		if err := conn.ReadJSON(&l); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if websocket.IsCloseError(err, websocket.CloseNormalClosure) {
				return nil
			}
			return err
		}
		if err := f(l); err != nil {
			return err
		}
	}
}
