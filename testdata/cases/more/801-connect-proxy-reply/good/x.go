// Package good ships log batches to a collector that is only reachable through
// an HTTP proxy.
package good

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Dialer opens connections. It is satisfied by Direct and by *Tunnel.
type Dialer interface {
	Dial(network, addr string) (net.Conn, error)
}

// Tunnel dials through an HTTP proxy with the CONNECT method.
type Tunnel struct {
	Proxy   string
	User    *url.Userinfo
	Timeout time.Duration
}

// Dial implements Dialer.
func (t *Tunnel) Dial(network, addr string) (net.Conn, error) {
	conn, err := net.DialTimeout(network, t.Proxy, t.Timeout)
	if err != nil {
		return nil, fmt.Errorf("proxy %s: %w", t.Proxy, err)
	}
	if err := conn.SetDeadline(time.Now().Add(t.Timeout)); err != nil {
		conn.Close()
		return nil, err
	}
	tunnel, err := t.open(conn, addr)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("proxy %s: %w", t.Proxy, err)
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		conn.Close()
		return nil, err
	}
	return tunnel, nil
}

func (t *Tunnel) open(conn net.Conn, addr string) (net.Conn, error) {
	req := &http.Request{
		Method: http.MethodConnect,
		URL:    &url.URL{Opaque: addr},
		Host:   addr,
		Header: make(http.Header),
	}
	if t.User != nil {
		cred := base64.StdEncoding.EncodeToString([]byte(t.User.String()))
		req.Header.Set("Proxy-Authorization", "Basic "+cred)
	}
	if err := req.Write(conn); err != nil {
		return nil, err
	}
	br := bufio.NewReader(conn)
	resp, err := http.ReadResponse(br, req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("CONNECT %s: %s", addr, resp.Status)
	}
	if br.Buffered() > 0 {
		return &prefixed{Conn: conn, br: br}, nil
	}
	return conn, nil
}

// prefixed hands out what was read together with the proxy's answer first.
type prefixed struct {
	net.Conn
	br *bufio.Reader
}

func (p *prefixed) Read(b []byte) (int, error) { return p.br.Read(b) }

// Shipper sends length-prefixed batches and expects one byte back for each.
type Shipper struct {
	dialer Dialer
	addr   string
	limit  time.Duration

	mu   sync.Mutex
	conn net.Conn
}

// NewShipper returns a shipper that connects on first use.
func NewShipper(d Dialer, addr string, limit time.Duration) *Shipper {
	return &Shipper{dialer: d, addr: addr, limit: limit}
}

// Ship sends one batch. It is called by the flush loop of the log writer.
func (s *Shipper) Ship(batch []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		conn, err := s.dialer.Dial("tcp", s.addr)
		if err != nil {
			return err
		}
		s.conn = conn
	}
	if err := s.exchange(s.conn, batch); err != nil {
		s.conn.Close()
		s.conn = nil
		return err
	}
	return nil
}

func (s *Shipper) exchange(conn net.Conn, batch []byte) error {
	if err := conn.SetDeadline(time.Now().Add(s.limit)); err != nil {
		return err
	}
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(batch)))
	if _, err := conn.Write(append(frame, batch...)); err != nil {
		return err
	}
	var ack [1]byte
	if _, err := conn.Read(ack[:]); err != nil {
		return err
	}
	if ack[0] != 0 {
		return fmt.Errorf("collector refused the batch: %d", ack[0])
	}
	return nil
}
