package tlsfront

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"time"
)

// Front terminates TLS and answers lines.
type Front struct {
	cfg    *tls.Config
	idle   time.Duration
	answer func(string) string
	wg     sync.WaitGroup
}

func New(cfg *tls.Config, answer func(string) string) *Front {
	return &Front{cfg: cfg, idle: 30 * time.Second, answer: answer}
}

func (f *Front) handshake(ctx context.Context, raw net.Conn) (*tls.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	c := tls.Server(raw, f.cfg)
	if err := c.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

func (f *Front) serve(ctx context.Context, raw net.Conn) {
	defer f.wg.Done()
	defer raw.Close()
	stop := context.AfterFunc(ctx, func() { raw.Close() })
	defer stop()
	c, err := f.handshake(ctx, raw)
	if err != nil {
		return
	}
	sc := bufio.NewScanner(c)
	for f.extend(c) == nil && sc.Scan() {
		if _, err := c.Write([]byte(f.answer(sc.Text()) + "\n")); err != nil {
			return
		}
	}
}

func (f *Front) extend(c net.Conn) error { return c.SetDeadline(time.Now().Add(f.idle)) }

// Serve accepts until ctx ends.
func (f *Front) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	defer f.wg.Wait()
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		f.wg.Add(1)
		go f.serve(ctx, c)
	}
}
