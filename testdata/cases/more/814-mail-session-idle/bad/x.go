// Package bad receives status mails of devices that speak only SMTP.
package bad

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/textproto"
	"strings"
	"sync"
	"time"
)

// Deliver is called with every complete mail.
type Deliver func(from string, to []string, body []byte) error

// Receiver is the server.
type Receiver struct {
	Host         string
	ReadTimeout  time.Duration
	WriteTimeout time.Duration
	Deliver      Deliver

	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// Serve accepts connections on ln until it is closed.
func (r *Receiver) Serve(ln net.Listener) error {
	for {
		conn, err := ln.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		r.track(conn, true)
		go func() {
			defer r.track(conn, false)
			defer conn.Close()
			s := &session{recv: r, conn: conn, text: textproto.NewConn(conn)}
			if err := s.run(); err != nil && !errors.Is(err, io.EOF) {
				log.Printf("%s: %v", conn.RemoteAddr(), err)
			}
		}()
	}
}

func (r *Receiver) track(c net.Conn, add bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conns == nil {
		r.conns = make(map[net.Conn]struct{})
	}
	if add {
		r.conns[c] = struct{}{}
	} else {
		delete(r.conns, c)
	}
}

// Sessions is the number of clients that are connected.
func (r *Receiver) Sessions() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.conns)
}

type session struct {
	recv *Receiver
	conn net.Conn
	text *textproto.Conn
	from string
	to   []string
}

func (s *session) reply(code int, text string) error {
	if err := s.conn.SetWriteDeadline(time.Now().Add(s.recv.WriteTimeout)); err != nil {
		return err
	}
	return s.text.PrintfLine("%d %s", code, text)
}

func (s *session) run() error {
	if err := s.reply(220, s.recv.Host+" ready"); err != nil {
		return err
	}
	for {
		line, err := s.text.ReadLine() // BUG(edge)
		if err != nil {
			return err
		}
		verb, arg, _ := strings.Cut(line, " ")
		switch strings.ToUpper(verb) {
		case "HELO", "EHLO":
			err = s.reply(250, s.recv.Host)
		case "MAIL":
			s.from, s.to = address(arg), nil
			err = s.reply(250, "ok")
		case "RCPT":
			s.to = append(s.to, address(arg))
			err = s.reply(250, "ok")
		case "DATA":
			err = s.data()
		case "QUIT":
			return s.reply(221, "bye")
		default:
			err = s.reply(502, "unknown command")
		}
		if err != nil {
			return err
		}
	}
}

func (s *session) data() error {
	if err := s.reply(354, "go ahead"); err != nil {
		return err
	}
	if err := s.conn.SetReadDeadline(time.Now().Add(s.recv.ReadTimeout)); err != nil {
		return err
	}
	body, err := s.text.ReadDotBytes()
	if err != nil {
		return err
	}
	if err := s.conn.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	if err := s.recv.Deliver(s.from, s.to, body); err != nil {
		return s.reply(451, fmt.Sprintf("not taken: %v", err))
	}
	return s.reply(250, "taken")
}

func address(arg string) string {
	_, addr, _ := strings.Cut(arg, ":")
	return strings.Trim(strings.TrimSpace(addr), "<>")
}
