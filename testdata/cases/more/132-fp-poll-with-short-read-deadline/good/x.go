package traps

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"time"
)

// Listener receives datagrams.
type Listener struct {
	pc   net.PacketConn
	step time.Duration
	use  func(from net.Addr, b []byte) error
}

func Listen(ctx context.Context, addr string, use func(net.Addr, []byte) error) (*Listener, error) {
	var lc net.ListenConfig
	pc, err := lc.ListenPacket(ctx, "udp", addr)
	if err != nil {
		return nil, err
	}
	return &Listener{pc: pc, step: time.Second, use: use}, nil
}

// Run handles datagrams until ctx ends.
func (l *Listener) Run(ctx context.Context) error {
	defer l.pc.Close()
	buf := make([]byte, 65535)
	for {
		select {
		case <-ctx.Done():
			return nil
		default:
		}
		if err := l.pc.SetReadDeadline(time.Now().Add(l.step)); err != nil {
			return err
		}
		n, from, err := l.pc.ReadFrom(buf)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			continue
		}
		if err != nil {
			return err
		}
		if err := l.use(from, buf[:n]); err != nil {
			slog.Warn("trap", "from", from, "err", err)
		}
	}
}
