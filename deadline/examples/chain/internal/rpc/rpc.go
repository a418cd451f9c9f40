// Package rpc is the interface of C in gRPC, written by hand instead of generated, since it has one method and two strings.
package rpc

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// Method is the full name of the method.
const Method = "/chain.Prices/Price"

// Prices is what C does.
type Prices interface {
	// Price returns the price of an order.
	Price(ctx context.Context, id string) (string, error)
}

// NewServer returns a server that answers with p.
func NewServer(p Prices, options ...grpc.ServerOption) *grpc.Server {
	alive := grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: time.Minute, Time: 10 * time.Second, Timeout: 5 * time.Second})
	server := grpc.NewServer(append(options, alive)...)
	server.RegisterService(&service, p)
	return server
}

var service = grpc.ServiceDesc{
	ServiceName: "chain.Prices",
	HandlerType: (*Prices)(nil),
	Methods:     []grpc.MethodDesc{{MethodName: "Price", Handler: handle}},
}

// handle is what a generator would have written.
func handle(srv any, ctx context.Context, decode func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
	in := new(wrapperspb.StringValue)
	if err := decode(in); err != nil {
		return nil, err
	}
	call := func(ctx context.Context, req any) (any, error) {
		price, err := srv.(Prices).Price(ctx, req.(*wrapperspb.StringValue).GetValue())
		return wrapperspb.String(price), err
	}
	if interceptor == nil {
		return call(ctx, in)
	}
	return interceptor(ctx, in, &grpc.UnaryServerInfo{Server: srv, FullMethod: Method}, call)
}

// A Client calls C.
type Client struct{ Conn *grpc.ClientConn }

// Price asks C, for as long as ctx allows.
func (c Client) Price(ctx context.Context, id string) (string, error) {
	out := new(wrapperspb.StringValue)
	err := c.Conn.Invoke(ctx, Method, wrapperspb.String(id), out)
	return out.GetValue(), err
}
