package peers

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
)

const readyTimeout = 10 * time.Second

type Peers struct {
	mu    sync.Mutex
	conns map[string]*grpc.ClientConn
	opts  []grpc.DialOption
}

func New(opts ...grpc.DialOption) *Peers {
	return &Peers{conns: map[string]*grpc.ClientConn{}, opts: opts}
}

func (p *Peers) open(addr string) (*grpc.ClientConn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cc, ok := p.conns[addr]; ok {
		return cc, nil
	}
	cc, err := grpc.NewClient(addr, p.opts...)
	if err == nil {
		p.conns[addr] = cc
	}
	return cc, err
}

func waitReady(cc *grpc.ClientConn) error {
	ctx, cancel := context.WithTimeout(context.Background(), readyTimeout) // BUG(fixedtimeout)
	defer cancel()
	cc.Connect()
	for {
		s := cc.GetState()
		if s == connectivity.Ready {
			return nil
		}
		if !cc.WaitForStateChange(ctx, s) {
			return fmt.Errorf("%s: still %s: %w", cc.Target(), s, ctx.Err())
		}
	}
}

// Invoke calls method on addr once its connection is ready.
func (p *Peers) Invoke(ctx context.Context, addr, method string, in, out any) error {
	cc, err := p.open(addr)
	if err != nil {
		return err
	}
	if err := waitReady(cc); err != nil { // ALT(fixedtimeout)
		return err
	}
	return cc.Invoke(ctx, method, in, out)
}
