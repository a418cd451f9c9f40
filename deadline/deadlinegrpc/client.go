package deadlinegrpc

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/doneby/doneby/deadline"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A Client keeps calls within the time that their context has left. A call that could not be answered in time is refused
// before anything is sent.
type Client struct {
	// Policy is that of methods without one of their own.
	Policy deadline.Policy
	// Methods are the policies of single methods, by full name.
	Methods map[string]deadline.Policy
	// Latency is what the way there takes. It is taken off the call's own time, so that gRPC sends the smaller value. grpc-go
	// rounds up what it sends, by less than a thousandth: a Latency of a millisecond makes up for that below 100 s.
	Latency time.Duration
}

// policy is that of a method. The way is kept back like a reserve.
func (c Client) policy(method string) deadline.Policy {
	p, ok := c.Methods[method]
	if !ok {
		p = c.Policy
	}
	if p.Name == "" {
		p.Name = method
	}
	p.Reserve += c.Latency
	return p
}

// Unary is the interceptor of unary calls. Its errors have gRPC's status, and if it was the time, a *deadline.Error beneath,
// whose Whole says that the call had all the time of ctx, so that trying again cannot help.
func (c Client) Unary() grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		policy, child := c.policy(method), ctx
		err := policy.Do(ctx, func(of context.Context) error {
			child = of
			return invoke(of, method, req, reply, cc, opts...)
		})
		return timed(ctx, child, policy, err)
	}
}

// Stream is the interceptor of streams. The policy is for the whole stream; without a deadline above and without a Cap, it has
// none. As gRPC has it, a stream that is not read to its end must have its context cancelled.
func (c Client) Stream() grpc.StreamClientInterceptor {
	return func(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
		policy := c.policy(method)
		child, cancel, err := policy.Start(ctx)
		if err != nil {
			return nil, timed(ctx, ctx, policy, err)
		}
		s := &clientStream{ctx: ctx, child: child, policy: policy, cancel: cancel, single: !desc.ServerStreams}
		s.ClientStream, err = open(child, desc, cc, method, opts...)
		if err != nil {
			cancel()
			return nil, timed(ctx, child, policy, err)
		}
		return s, nil
	}
}

// clientStream ends its context with the stream.
type clientStream struct {
	grpc.ClientStream
	ctx, child context.Context
	policy     deadline.Policy
	single     bool // one answer ends it
	once       sync.Once
	cancel     context.CancelFunc
}

func (s *clientStream) RecvMsg(m any) error {
	err := s.ClientStream.RecvMsg(m)
	if err == nil && !s.single {
		return nil
	}
	if err != io.EOF {
		err = timed(s.ctx, s.child, s.policy, err)
	}
	s.once.Do(s.cancel)
	return err
}

// timed makes the error of a call under ctx, with the context child, one of time if it is. The other side's timer may be ahead of
// ours, so its status counts like our own clock.
func timed(ctx, child context.Context, policy deadline.Policy, err error) error {
	var e *deadline.Error
	switch {
	case err == nil || errors.As(err, &refusal{}):
		return err
	case errors.As(err, &e):
		return refusal{err}
	case status.Code(err) != codes.DeadlineExceeded:
		return err
	}
	left, bounded := deadline.Remaining(child)
	end, _ := child.Deadline()
	all, limited := ctx.Deadline()
	whole := bounded && limited && !end.Before(all.Add(-policy.Reserve))
	return refusal{&deadline.Error{Op: policy.Name, Reason: deadline.Expired, Remaining: left, Over: max(0, -left), Whole: whole, Last: err}}
}
