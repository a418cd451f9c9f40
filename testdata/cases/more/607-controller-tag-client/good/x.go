// Package eip reads tags from a controller over EtherNet/IP framing.
package eip

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

type header struct {
	Command uint16
	Length  uint16
	Session uint32
	Status  uint32
	Context uint64
	Options uint32
}

// Client talks to one controller.
type Client struct {
	addr    string
	timeout time.Duration

	mu      sync.Mutex
	conn    net.Conn
	session uint32
	seq     uint64
}

func New(addr string, timeout time.Duration) *Client { return &Client{addr: addr, timeout: timeout} }

// Connect dials and registers a session.
func (c *Client) Connect() error {
	conn, err := net.DialTimeout("tcp", c.addr, c.timeout)
	if err != nil {
		return err
	}
	c.conn = conn
	h, _, err := c.exchange(0x65, []byte{1, 0, 0, 0})
	if err != nil {
		conn.Close()
		return fmt.Errorf("register: %w", err)
	}
	c.session = h.Session
	return nil
}

func (c *Client) send(cmd uint16, body []byte) error {
	c.seq++
	h := header{Command: cmd, Length: uint16(len(body)), Session: c.session, Context: c.seq}
	if err := binary.Write(c.conn, binary.LittleEndian, h); err != nil {
		return err
	}
	_, err := c.conn.Write(body)
	return err
}

func (c *Client) recv() (h header, body []byte, err error) {
	if err = binary.Read(c.conn, binary.LittleEndian, &h); err != nil {
		return h, nil, err
	}
	if h.Status != 0 {
		return h, nil, fmt.Errorf("status %#x", h.Status)
	}
	body = make([]byte, h.Length)
	_, err = io.ReadFull(c.conn, body)
	return h, body, err
}

func (c *Client) exchange(cmd uint16, body []byte) (header, []byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return header{}, nil, errors.New("not connected")
	}
	if err := c.conn.SetDeadline(time.Now().Add(c.timeout)); err != nil {
		return header{}, nil, err
	}
	if err := c.send(cmd, body); err != nil {
		return header{}, nil, err
	}
	return c.recv()
}

// ReadTag reads one tag's raw value.
func (c *Client) ReadTag(name string) ([]byte, error) {
	_, body, err := c.exchange(0x6f, append([]byte{0x4c, byte(len(name))}, name...))
	return body, err
}
