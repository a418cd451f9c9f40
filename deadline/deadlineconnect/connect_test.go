package deadlineconnect

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/doneby/doneby/deadline"
	"google.golang.org/protobuf/types/known/emptypb"
)

const (
	unary  = "/test.v1.Test/Unary"
	stream = "/test.v1.Test/Stream"
)

type (
	empty  = emptypb.Empty
	client = connect.Client[empty, empty]
)

// serve starts a server of both procedures, and returns clients of them and what its calls are given, 0 if there is no deadline.
func serve(t *testing.T, server, caller Interceptor, wait bool) (u, s *client, given chan time.Duration) {
	given = make(chan time.Duration, 8)
	seen := func(ctx context.Context) error {
		left, _ := deadline.Remaining(ctx)
		given <- left
		if wait {
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}
	mux := http.NewServeMux()
	mux.Handle(unary, connect.NewUnaryHandler(unary, func(ctx context.Context, _ *connect.Request[empty]) (*connect.Response[empty], error) {
		return connect.NewResponse(&empty{}), seen(ctx)
	}, connect.WithInterceptors(server)))
	mux.Handle(stream, connect.NewServerStreamHandler(stream, func(ctx context.Context, _ *connect.Request[empty], s *connect.ServerStream[empty]) error {
		return errors.Join(s.Send(&empty{}), seen(ctx))
	}, connect.WithInterceptors(server)))
	ts := httptest.NewUnstartedServer(mux)
	ts.EnableHTTP2 = true
	ts.StartTLS()
	t.Cleanup(ts.Close)
	u = connect.NewClient[empty, empty](ts.Client(), ts.URL+unary, connect.WithInterceptors(caller))
	s = connect.NewClient[empty, empty](ts.Client(), ts.URL+stream, connect.WithInterceptors(caller))
	return u, s, given
}

// drain reads a stream to its end.
func drain(ctx context.Context, c *client) error {
	s, err := c.CallServerStream(ctx, connect.NewRequest(&empty{}))
	if err != nil {
		return err
	}
	for s.Receive() {
	}
	return errors.Join(s.Err(), s.Close())
}

func TestServer(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name         string
		server       Interceptor
		left         time.Duration // of the caller, 0 is no deadline
		atLeast      time.Duration
		atMost       time.Duration
		streamAtMost time.Duration
	}{
		{"nothing said", Interceptor{Policy: deadline.Policy{Cap: 30 * s}}, 0, 29 * s, 30 * s, 0},
		{"the caller's", Interceptor{Policy: deadline.Policy{Cap: 30 * s}}, 10 * s, 8 * s, 10 * s, 10 * s},
		{"the caller's is too long", Interceptor{Policy: deadline.Policy{Cap: 5 * s}}, 20 * s, 4 * s, 5 * s, 20 * s},
		{"less the reserve", Interceptor{Policy: deadline.Policy{Reserve: 4 * s}}, 10 * s, 4 * s, 6 * s, 10 * s},
		{"of the procedure", Interceptor{Procedures: map[string]deadline.Policy{unary: {Cap: 3 * s}, stream: {Cap: 2 * s}}}, 0, 2 * s, 3 * s, 2 * s},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, st, given := serve(t, tt.server, Interceptor{}, false)
			ctx := t.Context()
			if tt.left > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, tt.left)
				defer cancel()
			}
			if _, err := u.CallUnary(ctx, connect.NewRequest(&empty{})); err != nil {
				t.Fatal(err)
			}
			if left := <-given; left < tt.atLeast || left > tt.atMost {
				t.Errorf("the procedure has %v", left)
			}
			if err := drain(ctx, st); err != nil {
				t.Fatal(err)
			}
			if left := <-given; left > tt.streamAtMost {
				t.Errorf("the stream has %v", left)
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	tight := Interceptor{Procedures: map[string]deadline.Policy{unary: {Min: 20 * time.Second}, stream: {Min: 20 * time.Second}}}
	for name, tt := range map[string]struct{ server, caller Interceptor }{"server": {tight, Interceptor{}}, "client": {Interceptor{}, tight}} {
		t.Run(name, func(t *testing.T) {
			u, st, given := serve(t, tt.server, tt.caller, false)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			_, err := u.CallUnary(ctx, connect.NewRequest(&empty{}))
			for _, err := range []error{err, drain(ctx, st)} {
				if connect.CodeOf(err) != connect.CodeDeadlineExceeded || !errors.Is(err, context.DeadlineExceeded) ||
					name == "client" && !errors.Is(err, deadline.BelowMinimum) {
					t.Error(err)
				}
			}
			if len(given) > 0 {
				t.Error("a procedure was called")
			}
		})
	}
}

func TestExpires(t *testing.T) {
	caller := Interceptor{Procedures: map[string]deadline.Policy{unary: {Cap: 300 * time.Millisecond}, stream: {Cap: 300 * time.Millisecond}}}
	for name, tt := range map[string]struct {
		caller Interceptor
		left   time.Duration
		whole  bool
	}{"the call's time": {caller, 30 * time.Second, false}, "the caller's": {Interceptor{}, 300 * time.Millisecond, true}} {
		t.Run(name, func(t *testing.T) {
			u, st, _ := serve(t, Interceptor{}, tt.caller, true)
			for _, call := range []func(context.Context) error{
				func(ctx context.Context) error { _, err := u.CallUnary(ctx, connect.NewRequest(&empty{})); return err },
				func(ctx context.Context) error { return drain(ctx, st) },
			} {
				ctx, cancel := context.WithTimeout(t.Context(), tt.left)
				err := call(ctx)
				cancel()
				var e *deadline.Error
				if !errors.As(err, &e) || e.Whole != tt.whole || connect.CodeOf(err) != connect.CodeDeadlineExceeded {
					t.Errorf("%v %+v", err, e)
				}
			}
		})
	}
}

// What is no matter of time stays as it is.
func TestOtherErrors(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	u, _, _ := serve(t, Interceptor{}, Interceptor{Policy: deadline.Policy{Cap: time.Second}}, false)
	_, err := u.CallUnary(gone, connect.NewRequest(&empty{}))
	var e *deadline.Error
	if errors.As(err, &e) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := timed(t.Context(), t.Context(), deadline.Policy{}, io.ErrUnexpectedEOF); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
	u, _, _ = serve(t, Interceptor{}, Interceptor{Policy: deadline.Policy{Cap: -1}}, false)
	if _, err := u.CallUnary(t.Context(), connect.NewRequest(&empty{})); connect.CodeOf(err) != connect.CodeInternal || !errors.Is(err, deadline.BadPolicy) {
		t.Error(err)
	}
}

// told keeps the events of one kind.
type told struct {
	mu   sync.Mutex
	kind deadline.Kind
	all  []deadline.Event
}

func (o *told) Observe(_ context.Context, e deadline.Event) {
	if e.Kind == o.kind {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.all = append(o.all, e)
	}
}

// Work that goes on after its deadline is told, once; behind a deadline.Server it is that server's account which counts.
func TestWastedWork(t *testing.T) {
	late := func(ctx context.Context, _ *connect.Request[empty]) (*connect.Response[empty], error) {
		<-ctx.Done()
		time.Sleep(time.Millisecond)
		return nil, ctx.Err()
	}
	budget := Interceptor{Policy: deadline.Policy{Cap: 30 * time.Millisecond}}
	handler := http.Handler(connect.NewUnaryHandler(unary, late, connect.WithInterceptors(budget)))
	for name, h := range map[string]http.Handler{unary: handler, "default": deadline.Server{}.Wrap(handler)} {
		observer := &told{kind: deadline.TimeWastedAfterDeadline}
		deadline.SetObserver(observer)
		ts := httptest.NewServer(h)
		_, err := connect.NewClient[empty, empty](ts.Client(), ts.URL+unary).CallUnary(t.Context(), connect.NewRequest(&empty{}))
		ts.Close() // which waits for the handler
		deadline.SetObserver(nil)
		if connect.CodeOf(err) != connect.CodeDeadlineExceeded {
			t.Errorf("%s: %v", name, err)
		}
		n := observer.all
		if name == unary && (len(n) != 1 || n[0].Name != name || n[0].Time <= 0) || name != unary && len(n) != 0 { // which has 30 s
			t.Errorf("%s: told %v", name, n)
		}
	}
}
