// Package host runs the four services of a chain on the loopback, each on a listener of its own, and ends them again.
package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
)

// Addresses are where the services listen. They are known before the services are made, which have clients of each other.
type Addresses struct {
	A, B string // URLs
	C    string // host:port, of gRPC
}

// Services are the four, and their clients: those of HTTP, and Close, which ends the one of gRPC.
type Services struct {
	Gateway, A, B http.Handler
	C             *grpc.Server
	Clients       []*http.Client
	Close         func() error
}

// A Host is what runs.
type Host struct {
	URL      string // of the gateway
	services Services
	servers  []*http.Server
	running  errgroup.Group
}

// Start listens, lets build make the services, and serves them.
func Start(ctx context.Context, build func(Addresses) (Services, error)) (*Host, error) {
	var on [4]net.Listener // gateway, A, B, C
	for i := range on {
		var listen net.ListenConfig
		l, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, errors.Join(err, closeAll(on[:i]))
		}
		on[i] = l
	}
	url := func(i int) string { return "http://" + on[i].Addr().String() }
	services, err := build(Addresses{A: url(1), B: url(2), C: on[3].Addr().String()})
	if err != nil {
		return nil, errors.Join(err, closeAll(on[:]))
	}
	h := &Host{URL: url(0), services: services}
	for i, handler := range []http.Handler{services.Gateway, services.A, services.B} {
		server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
		h.servers = append(h.servers, server)
		h.running.Go(func() error {
			if err := server.Serve(on[i]); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil // it was told to end
		})
	}
	h.running.Go(func() error { return services.C.Serve(on[3]) })
	return h, nil
}

// Stop ends the services, first the one that is asked first. It waits until all requests have been answered, at most as long as
// ctx allows, and then cuts them off and says so.
func (h *Host) Stop(ctx context.Context) error {
	var errs []error
	for _, server := range h.servers {
		for _, client := range h.services.Clients {
			client.CloseIdleConnections() // a server waits five seconds for one that was never used
		}
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, fmt.Errorf("shutdown: %w", err), server.Close())
		}
	}
	stop := context.AfterFunc(ctx, h.services.C.Stop)
	h.services.C.GracefulStop()
	stop()
	return errors.Join(append(errs, h.services.Close(), h.running.Wait())...)
}

func closeAll(listeners []net.Listener) error {
	var errs []error
	for _, l := range listeners {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}
