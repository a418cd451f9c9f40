// Package deadlinegrpc puts package deadline into gRPC: interceptors for servers and clients, unary and stream.
//
// gRPC carries the deadline of a call by itself; it lacks what is to be done with it. A [Server] gives a call a budget where the
// caller gave none, clamps the caller's, keeps a reserve, and refuses what comes too late to be of use, with a trailer that
// keeps clients from trying again. A [Client] refuses early, takes the way off what it sends, and says in its errors whether
// the time was the caller's or only this call's.
//
// What happens to the time is told to the observer of deadline.SetObserver.
package deadlinegrpc

import (
	"context"
	"errors"
	"time"

	"github.com/doneby/doneby/deadline"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"
)

// A Server gives calls their budget. The zero value gives each unary call without a deadline deadline.Human, which is also the
// most that a caller may ask for.
//
// In every case the deadline is at most min(the caller's, now + Max).
type Server struct {
	// Default is the budget of a unary call without a deadline; 0 is deadline.Human.
	Default time.Duration
	// Max is the most that a caller may have; 0 is Default.
	Max time.Duration
	// Reserve is what is kept back of it, for the answer: letsencrypt/boulder keeps 20 ms.
	Reserve time.Duration
	// Min is the least time in which a method is of use; with less the call is refused. Boulder has 100 ms.
	Min time.Duration
	// Methods are the budgets of single methods, by full name, such as "/orders.v1.Orders/List". A stream is given a
	// Default only here: streams may be meant to last.
	Methods map[string]Method
	// Mode Observe changes nothing, and tells what would have been refused.
	Mode deadline.Mode
}

// A Method is the budget of one method. A duration of 0 is the server's.
type Method struct {
	Default, Max, Reserve, Min time.Duration
}

// pushback is the trailer that tells clients of gRPC not to try again (gRFC A6).
var pushback = metadata.Pairs("grpc-retry-pushback-ms", "-1")

// Unary is the interceptor of unary calls.
func (s Server) Unary() grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		child, cancel, err := s.start(ctx, info.FullMethod, false)
		if err != nil {
			_ = grpc.SetTrailer(ctx, pushback) // fails only outside of a call, where there is no one to tell
			return nil, refusal{err}
		}
		defer cancel()
		return handler(child, req) // gRPC itself makes a status of an error that is context.DeadlineExceeded
	}
}

// Stream is the interceptor of streams. gRPC's deadline is that of the whole stream.
func (s Server) Stream() grpc.StreamServerInterceptor {
	return func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
		child, cancel, err := s.start(stream.Context(), info.FullMethod, true)
		if err != nil {
			stream.SetTrailer(pushback)
			return refusal{err}
		}
		defer cancel()
		return handler(srv, serverStream{stream, child})
	}
}

// serverStream is a stream with another context.
type serverStream struct {
	grpc.ServerStream
	ctx context.Context
}

func (s serverStream) Context() context.Context { return s.ctx }

// Tap refuses calls that came too late before a goroutine is started for them: grpc.InTapHandle(s.Tap()). It knows the caller's
// deadline only, and cannot set a trailer; a server that is run by ServeHTTP does not call it. The interceptors check again.
func (s Server) Tap() tap.ServerInHandle {
	return func(ctx context.Context, info *tap.Info) (context.Context, error) {
		m := s.method(info.FullMethodName)
		if s.Mode == deadline.Observe || deadline.Enough(ctx, m.Reserve+m.Min) {
			return ctx, nil
		}
		if ctx.Err() == context.Canceled {
			return ctx, nil // no matter of deadlines
		}
		left, _ := deadline.Remaining(ctx)
		name := info.FullMethodName
		if _, declared := s.Methods[name]; !declared {
			name = "" // it may be any: the method has not been looked for, and who calls must not make up names of metrics
		}
		deadline.Tell(ctx, deadline.Event{Kind: deadline.CountExpiredOnArrival, Name: name, Time: left})
		return nil, status.Error(codes.DeadlineExceeded, "deadline: too little time is left on arrival")
	}
}

// method is the budget of a method, with the server's figures filled in.
func (s Server) method(name string) Method {
	m := s.Methods[name]
	own := m.Default
	fill(&m.Default, s.Default)
	fill(&m.Default, deadline.Human)
	fill(&m.Reserve, s.Reserve)
	fill(&m.Min, s.Min)
	if m.Max == 0 && own == 0 {
		m.Max = s.Max
	}
	fill(&m.Max, m.Default)
	return m
}

func fill(d *time.Duration, with time.Duration) {
	if *d == 0 {
		*d = with
	}
}

// start is the context of a call, and the end of its account, or an error that is a *deadline.Error.
func (s Server) start(ctx context.Context, name string, stream bool) (context.Context, context.CancelFunc, error) {
	m := s.method(name)
	left, bounded := deadline.Remaining(ctx)
	if bounded {
		deadline.Tell(ctx, deadline.Event{Kind: deadline.CountReceived, Name: name, Label: deadline.GRPCTimeout.String(), Time: left})
		deadline.Tell(ctx, deadline.Event{Kind: deadline.TimeRemainingOnArrival, Name: name, Time: left})
		if left > m.Max {
			deadline.Tell(ctx, deadline.Event{Kind: deadline.CountClampedByRoute, Name: name, Time: left})
			left = m.Max
		}
	} else {
		deadline.Tell(ctx, deadline.Event{Kind: deadline.CountAbsent, Name: name})
		if stream && s.Methods[name].Default == 0 {
			return ctx, func() {}, nil // it may be meant to last
		}
		left = min(m.Default, m.Max)
	}
	err := refuse(ctx, name, m, left)
	switch {
	case s.Mode == deadline.Observe:
		return ctx, func() {}, nil
	case err != nil:
		return nil, nil, err
	}
	child, cancel := deadline.WithBudget(ctx, left-m.Reserve, name)
	return child, cancel, nil
}

var errFigures = errors.New("Default, Max, Reserve and Min cannot be negative")

// refuse says why a call with left is not to be started, or nil.
func refuse(ctx context.Context, name string, m Method, left time.Duration) error {
	e := &deadline.Error{Op: name, Remaining: left, Need: m.Reserve + m.Min, Whole: true}
	switch {
	case m.Default < 0 || m.Max < 0 || m.Reserve < 0 || m.Min < 0:
		e.Reason, e.Last = deadline.BadPolicy, errFigures
		return e
	case ctx.Err() == context.Canceled:
		return nil // no matter of deadlines; the handler finds out
	case left <= 0:
		e.Reason = deadline.Expired
		deadline.Tell(ctx, deadline.Event{Kind: deadline.CountExpiredOnArrival, Name: name, Time: left})
		return e
	case left <= m.Reserve || left-m.Reserve < m.Min:
		e.Reason = deadline.BelowMinimum
		deadline.Tell(ctx, deadline.Event{Kind: deadline.CountBelowMinimum, Name: name, Time: left})
		return e
	}
	return nil
}

// A refusal is an error of time with the status that gRPC has for it; what it was before is beneath.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

// GRPCStatus is for status.FromError.
func (r refusal) GRPCStatus() *status.Status {
	var e *deadline.Error
	if errors.As(r.error, &e) && !e.Timeout() {
		return status.New(codes.Internal, r.Error()) // a policy that is wrong
	}
	return status.New(codes.DeadlineExceeded, r.Error())
}
