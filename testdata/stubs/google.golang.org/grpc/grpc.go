// Package grpc has the few signatures of google.golang.org/grpc that the READMEs' programs use.
package grpc

import (
	"context"
	"net"
	"time"

	"google.golang.org/grpc/keepalive"
)

type ClientConn struct{}

func NewClient(target string, opts ...DialOption) (*ClientConn, error) { return nil, nil }

func (*ClientConn) Invoke(ctx context.Context, method string, args, reply any, opts ...CallOption) error {
	return nil
}

func (*ClientConn) NewStream(ctx context.Context, desc *StreamDesc, method string, opts ...CallOption) (ClientStream, error) {
	return nil, nil
}

func (*ClientConn) Close() error { return nil }

type ClientConnInterface interface {
	Invoke(ctx context.Context, method string, args, reply any, opts ...CallOption) error
	NewStream(ctx context.Context, desc *StreamDesc, method string, opts ...CallOption) (ClientStream, error)
}

// Handshaker stands for credentials.TransportCredentials.
type Handshaker interface {
	Handshake(raw net.Conn) (net.Conn, error)
}

type (
	CallOption   interface{ call() }
	DialOption   interface{ dial() }
	ServerOption interface{ server() }
	StreamDesc   struct{ StreamName string }
)

type (
	UnaryInvoker           func(ctx context.Context, method string, req, reply any, cc *ClientConn, opts ...CallOption) error
	UnaryClientInterceptor func(ctx context.Context, method string, req, reply any, cc *ClientConn, invoker UnaryInvoker, opts ...CallOption) error
)

func DialContext(ctx context.Context, target string, opts ...DialOption) (*ClientConn, error) {
	return nil, nil
}

func Dial(target string, opts ...DialOption) (*ClientConn, error) { return nil, nil }

func WithTimeout(d time.Duration) DialOption                   { return nil }
func WithBlock() DialOption                                    { return nil }
func WithUserAgent(s string) DialOption                        { return nil }
func WithUnaryInterceptor(f UnaryClientInterceptor) DialOption { return nil }

type ClientStream interface {
	Context() context.Context
	SendMsg(m any) error
	RecvMsg(m any) error
	CloseSend() error
}

type ServerStream interface {
	Context() context.Context
	SendMsg(m any) error
	RecvMsg(m any) error
}

type (
	UnaryHandler           func(ctx context.Context, req any) (any, error)
	UnaryServerInfo        struct{ FullMethod string }
	UnaryServerInterceptor func(ctx context.Context, req any, info *UnaryServerInfo, handler UnaryHandler) (any, error)
)

func UnaryInterceptor(i UnaryServerInterceptor) ServerOption     { return nil }
func KeepaliveParams(kp keepalive.ServerParameters) ServerOption { return nil }

type Server struct{}

func NewServer(opt ...ServerOption) *Server { return nil }

func (*Server) Serve(lis net.Listener) error { return nil }
func (*Server) GracefulStop()                {}
func (*Server) Stop()                        {}
