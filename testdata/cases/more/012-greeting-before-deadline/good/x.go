package smtpdial

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/smtp"
	"strconv"
	"time"
)

// Dialer connects to a relay.
type Dialer struct {
	Host    string
	Port    int
	SSL     bool
	Timeout time.Duration
	Auth    smtp.Auth
}

// Session is one open connection.
type Session struct {
	c    *smtp.Client
	conn net.Conn
	d    *Dialer
}

func (d *Dialer) addr() string { return net.JoinHostPort(d.Host, strconv.Itoa(d.Port)) }

func (d *Dialer) Dial() (*Session, error) {
	conn, err := net.DialTimeout("tcp", d.addr(), d.Timeout)
	if err != nil {
		return nil, err
	}
	if d.SSL {
		conn = tls.Client(conn, &tls.Config{ServerName: d.Host})
	}
	conn.SetDeadline(time.Now().Add(d.Timeout))
	c, err := smtp.NewClient(conn, d.Host)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("greeting: %w", err)
	}
	if d.Auth != nil {
		if err := c.Auth(d.Auth); err != nil {
			c.Close()
			return nil, err
		}
	}
	return &Session{c: c, conn: conn, d: d}, nil
}

// Send delivers one message.
func (s *Session) Send(from, to string, msg []byte) error {
	s.conn.SetDeadline(time.Now().Add(s.d.Timeout))
	if err := s.c.Mail(from); err != nil {
		return err
	}
	if err := s.c.Rcpt(to); err != nil {
		return err
	}
	w, err := s.c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(msg); err != nil {
		return err
	}
	return w.Close()
}
