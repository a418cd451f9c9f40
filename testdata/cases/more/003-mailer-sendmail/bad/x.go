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
	return smtp.SendMail(addr, m.auth(), m.cfg.From, to, msg) // BUG(noctx)
}
