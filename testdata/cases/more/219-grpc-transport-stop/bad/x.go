package transport

import (
	"context"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// Lifecycle is what an app starts and stops. Stop gets the time that the app
// gives its servers.
type Lifecycle interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
}

// Server is a gRPC server with a health service.
type Server struct {
	*grpc.Server
	health *health.Server
	lis    net.Listener
}

var _ Lifecycle = (*Server)(nil)

// NewServer serves on lis.
func NewServer(lis net.Listener, opts ...grpc.ServerOption) *Server {
	opts = append(opts, grpc.ConnectionTimeout(20*time.Second))
	s := &Server{Server: grpc.NewServer(opts...), health: health.NewServer(), lis: lis}
	grpc_health_v1.RegisterHealthServer(s.Server, s.health)
	return s
}

// Start serves until Stop.
func (s *Server) Start(context.Context) error {
	s.health.Resume()
	return s.Serve(s.lis)
}

// Stop lets calls finish.
func (s *Server) Stop(_ context.Context) error { // BUG(deafctx)
	s.health.Shutdown()
	s.GracefulStop() // ALT(deafctx) ALT(deafwait) ALT(noctx)
	return nil
}
