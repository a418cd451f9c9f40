package prober

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
)

type backend struct {
	addr string
	stub grpc_health_v1.HealthClient
	ok   bool
}

// Prober watches the health of backends.
type Prober struct {
	mu       sync.RWMutex
	backends []*backend
	every    time.Duration
	quit     chan struct{}
	once     sync.Once
}

func New(every time.Duration, conns map[string]*grpc.ClientConn) *Prober {
	p := &Prober{every: every, quit: make(chan struct{})}
	for a, c := range conns {
		p.backends = append(p.backends, &backend{addr: a, stub: grpc_health_v1.NewHealthClient(c)})
	}
	go p.run()
	return p
}

func (p *Prober) Close() { p.once.Do(func() { close(p.quit) }) }

func (p *Prober) run() {
	for {
		select {
		case <-p.quit:
			return
		case <-time.After(p.every):
			p.round()
		}
	}
}

func (p *Prober) round() {
	for _, b := range p.backends {
		ok := check(context.Background(), b) // BUG(unbounded)
		p.mu.Lock()
		b.ok = ok
		p.mu.Unlock()
	}
}

func check(ctx context.Context, b *backend) bool {
	resp, err := b.stub.Check(ctx, &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		slog.Warn("probe", "addr", b.addr, "err", err)
		return false
	}
	return resp.GetStatus() == grpc_health_v1.HealthCheckResponse_SERVING
}

// Healthy lists what answered last time.
func (p *Prober) Healthy() (out []string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, b := range p.backends {
		if b.ok {
			out = append(out, b.addr)
		}
	}
	return out
}
