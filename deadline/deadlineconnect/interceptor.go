// Package deadlineconnect puts package deadline into Connect: one interceptor, for handlers and clients.
//
// connect-go carries the deadline of a call by itself. It has no maximum and no default for what a server gives, and refuses
// nothing; the interceptor does. A server may put a deadline.Server around its mux as well or instead, with
// deadline.ConnectTimeoutMs and deadline.GRPCTimeout among its Headers: that knows of trust and of arrival, and answers before
// the body is read, but not in Connect's own form.
package deadlineconnect

import (
	"context"
	"errors"
	"io"
	"sync"

	"connectrpc.com/connect"
	"github.com/doneby/doneby/deadline"
)

// An Interceptor keeps calls within the time that they have, by a policy for each procedure. On the server, Cap is the most that
// a caller may have, and what a call without a deadline gets; Reserve is kept back for the answer; with less than Min the call
// is refused. On the client it is as deadline.Policy has it. The policy of a stream is for the whole stream.
//
// Refusals, and errors of time, are connect.CodeDeadlineExceeded with the *deadline.Error beneath.
type Interceptor struct {
	// Policy is that of every unary procedure without one of its own.
	Policy deadline.Policy
	// Procedures are the policies of single procedures, such as "/orders.v1.Orders/List". Streams have a policy only here,
	// since they may be meant to last.
	Procedures map[string]deadline.Policy
}

var _ connect.Interceptor = Interceptor{}

// policy is that of a procedure.
func (i Interceptor) policy(spec connect.Spec) deadline.Policy {
	p, ok := i.Procedures[spec.Procedure]
	if !ok && spec.StreamType == connect.StreamTypeUnary {
		p = i.Policy
	}
	if p.Name == "" {
		p.Name = spec.Procedure
	}
	return p
}

// WrapUnary is for unary calls, on both sides.
func (i Interceptor) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (resp connect.AnyResponse, err error) {
		policy, child := i.policy(req.Spec()), ctx
		err = policy.Do(ctx, func(of context.Context) error {
			child = of
			if !req.Spec().IsClient {
				var done context.CancelFunc
				of, done = account(of, policy.Name)
				defer done()
			}
			resp, err = next(of, req)
			return err
		})
		return resp, timed(ctx, child, policy, err)
	}
}

// WrapStreamingHandler is for streams, on the server.
func (i Interceptor) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		policy, child := i.policy(conn.Spec()), ctx
		return timed(ctx, child, policy, policy.Do(ctx, func(of context.Context) error {
			child = of
			of, done := account(of, policy.Name)
			defer done()
			return next(of, conn)
		}))
	}
}

// account opens the account of a call on the server, unless a deadline.Server has: from it the observer hears how long the work
// went on after its deadline, or after the caller had left. A stream without a deadline has no budget, and so no account.
func account(ctx context.Context, name string) (context.Context, context.CancelFunc) {
	left, bounded := deadline.Remaining(ctx)
	if _, open := deadline.BudgetOf(ctx); open || !bounded {
		return ctx, func() {}
	}
	return deadline.WithBudget(ctx, left, name)
}

// WrapStreamingClient is for streams, on the client. What is refused is refused by the first Send or Receive.
func (i Interceptor) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		policy := i.policy(spec)
		child, cancel, err := policy.Start(ctx) // of a refusal, the context has ended
		return &clientConn{
			StreamingClientConn: next(child, spec),
			ctx:                 ctx, child: child, policy: policy, cancel: cancel,
			refused: timed(ctx, child, policy, err),
		}
	}
}

// clientConn ends its context with the stream.
type clientConn struct {
	connect.StreamingClientConn
	ctx, child context.Context
	policy     deadline.Policy
	once       sync.Once
	cancel     context.CancelFunc
	refused    error
}

// Send sends a message.
func (c *clientConn) Send(m any) error {
	if c.refused != nil {
		return c.refused
	}
	err := c.StreamingClientConn.Send(m)
	if errors.Is(err, io.EOF) {
		return err // the reason is for Receive to say
	}
	return timed(c.ctx, c.child, c.policy, err)
}

// Receive receives a message; an error, io.EOF included, ends the call.
func (c *clientConn) Receive(m any) error {
	if c.refused != nil {
		return c.refused
	}
	err := c.StreamingClientConn.Receive(m)
	if err == nil {
		return nil
	}
	if !errors.Is(err, io.EOF) {
		err = timed(c.ctx, c.child, c.policy, err)
	}
	c.once.Do(c.cancel)
	return err
}

// CloseResponse ends the call.
func (c *clientConn) CloseResponse() error {
	err := c.StreamingClientConn.CloseResponse()
	c.once.Do(c.cancel)
	return err
}

// timed makes the error of a call under ctx, with the context child, one of time if it is. The other side's timer may be ahead of
// ours, so its code counts like our own clock.
func timed(ctx, child context.Context, policy deadline.Policy, err error) error {
	var e *deadline.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		if !e.Timeout() {
			return connect.NewError(connect.CodeInternal, err) // a policy that is wrong
		}
	case connect.CodeOf(err) == connect.CodeDeadlineExceeded || errors.Is(err, context.DeadlineExceeded):
		left, bounded := deadline.Remaining(child)
		end, _ := child.Deadline()
		all, limited := ctx.Deadline()
		whole := bounded && limited && !end.Before(all.Add(-policy.Reserve))
		err = &deadline.Error{Op: policy.Name, Reason: deadline.Expired, Remaining: left, Over: max(0, -left), Whole: whole, Last: err}
	default:
		return err
	}
	return connect.NewError(connect.CodeDeadlineExceeded, err)
}
