//go:build go1.25

package deadline

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
)

// memory is a network of one listener, in memory, so that synctest can make its time go.
type memory struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error { m.once.Do(func() { close(m.done) }); return nil }
func (m *memory) Addr() net.Addr {
	return &net.UnixAddr{Name: "memory", Net: "memory"}
}

func (m *memory) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case m.conns <- there:
		return here, nil
	case <-m.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serveInMemory starts h and returns a transport that reaches it, whatever the address. Both end with the test.
func serveInMemory(t *testing.T, h http.Handler) *http.Transport {
	m := &memory{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: h}
	go server.Serve(m)
	transport := &http.Transport{DialContext: m.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	return transport
}
