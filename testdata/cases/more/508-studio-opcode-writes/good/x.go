package studio

import (
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

type Opcode struct {
	Op int             `json:"op"`
	D  json.RawMessage `json:"d"`
}

type Client struct {
	conn    *websocket.Conn
	opcodes chan Opcode
	closed  chan struct{}
	once    sync.Once

	writeTimeout time.Duration
}

type Option func(*Client)

func Connect(url string, opts ...Option) (*Client, error) {
	d := websocket.Dialer{HandshakeTimeout: 10 * time.Second}
	conn, _, err := d.Dial(url, nil)
	if err != nil {
		return nil, err
	}
	c := &Client{conn: conn, opcodes: make(chan Opcode), closed: make(chan struct{}), writeTimeout: 10 * time.Second}
	for _, o := range opts {
		o(c)
	}
	go c.handleOpcodes()
	return c, nil
}

func (c *Client) handleOpcodes() {
	for {
		select {
		case <-c.closed:
			return
		case op := <-c.opcodes:
			if err := c.writeMessage(op); err != nil {
				c.Close()
				return
			}
		}
	}
}

func (c *Client) writeMessage(op Opcode) error {
	raw, err := json.Marshal(op)
	if err != nil {
		return err
	}
	if err := c.conn.SetWriteDeadline(time.Now().Add(c.writeTimeout)); err != nil {
		return err
	}
	return c.conn.WriteMessage(websocket.TextMessage, raw)
}

// Send enqueues one opcode.
func (c *Client) Send(op Opcode) error {
	select {
	case c.opcodes <- op:
		return nil
	case <-c.closed:
		return errors.New("closed")
	}
}

func (c *Client) Close() {
	c.once.Do(func() {
		close(c.closed)
		_ = c.conn.Close()
	})
}
