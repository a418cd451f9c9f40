package peers

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

// Peers keeps a connection per peer.
type Peers struct {
	mu    sync.Mutex
	conns map[string]*grpc.ClientConn
	creds credentials.TransportCredentials
	limit time.Duration
}

func New(creds credentials.TransportCredentials) *Peers {
	return &Peers{conns: map[string]*grpc.ClientConn{}, creds: creds, limit: 20 * time.Second}
}

func (p *Peers) lookup(addr string) *grpc.ClientConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conns[addr]
}

// Conn returns a ready connection to addr.
func (p *Peers) Conn(ctx context.Context, addr string) (*grpc.ClientConn, error) {
	if c := p.lookup(addr); c != nil {
		return c, nil
	}
	dctx, cancel := context.WithTimeout(context.Background(), p.limit) // BUG(fixedtimeout)
	defer cancel()
	c, err := grpc.DialContext(dctx, addr, grpc.WithTransportCredentials(p.creds), grpc.WithBlock())
	if err != nil {
		return nil, fmt.Errorf("peer %s: %w", addr, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := p.conns[addr]; old != nil {
		c.Close()
		return old, nil
	}
	p.conns[addr] = c
	return c, nil
}
