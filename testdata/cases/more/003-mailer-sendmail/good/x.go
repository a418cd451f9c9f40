package mailer

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/smtp"
	"time"
)

// Config names the relay.
type Config struct {
	Host, Port, User, Pass, From string
	Limit                        time.Duration
}

type Mailer struct {
	cfg Config
}

func New(cfg Config) *Mailer {
	if cfg.Limit == 0 {
		cfg.Limit = 30 * time.Second
	}
	return &Mailer{cfg: cfg}
}

// Notify mails one text to all of to.
func (m *Mailer) Notify(ctx context.Context, subject, text string, to []string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: %s\r\nSubject: %s\r\n\r\n%s\r\n", m.cfg.From, subject, text)
	if err := m.deliver(ctx, to, b.Bytes()); err != nil {
		return fmt.Errorf("notify %d recipients: %w", len(to), err)
	}
	return nil
}

func (m *Mailer) auth() smtp.Auth {
	if m.cfg.User == "" {
		return nil
	}
	return smtp.PlainAuth("", m.cfg.User, m.cfg.Pass, m.cfg.Host)
}

func (m *Mailer) deliver(ctx context.Context, to []string, msg []byte) error {
	addr := net.JoinHostPort(m.cfg.Host, m.cfg.Port)
	ctx, cancel := context.WithTimeout(ctx, m.cfg.Limit)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if until, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(until); err != nil {
			return err
		}
	}
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	c, err := smtp.NewClient(conn, m.cfg.Host)
	if err != nil {
		return err
	}
	return m.talk(c, to, msg)
}

func (m *Mailer) talk(c *smtp.Client, to []string, msg []byte) error {
	if a := m.auth(); a != nil {
		if err := c.Auth(a); err != nil {
			return err
		}
	}
	if err := c.Mail(m.cfg.From); err != nil {
		return err
	}
	for _, t := range to {
		if err := c.Rcpt(t); err != nil {
			return err
		}
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(msg); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return c.Quit()
}
