package deadlinegrpc

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	health "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
)

const (
	check = "/grpc.health.v1.Health/Check"
	watch = "/grpc.health.v1.Health/Watch"
)

// service tells what its calls are given: nothing, if there is no deadline. It answers when it may.
type service struct {
	health.UnimplementedHealthServer
	given chan time.Duration
	wait  bool // until the context ends
}

func (s *service) seen(ctx context.Context) error {
	left, _ := deadline.Remaining(ctx)
	s.given <- left
	if !s.wait {
		return nil
	}
	<-ctx.Done()
	return ctx.Err()
}

func (s *service) Check(ctx context.Context, _ *health.HealthCheckRequest) (*health.HealthCheckResponse, error) {
	return &health.HealthCheckResponse{}, s.seen(ctx)
}

func (s *service) Watch(_ *health.HealthCheckRequest, stream grpc.ServerStreamingServer[health.HealthCheckResponse]) error {
	return errors.Join(stream.Send(&health.HealthCheckResponse{}), s.seen(stream.Context()))
}

// connect starts a server in memory, and returns a client of it.
func connect(t *testing.T, s Server, c Client, wait bool) (health.HealthClient, *service) {
	listener := bufconn.Listen(1 << 16)
	svc := &service{given: make(chan time.Duration, 8), wait: wait}
	server := grpc.NewServer(grpc.UnaryInterceptor(s.Unary()), grpc.StreamInterceptor(s.Stream()), grpc.InTapHandle(s.Tap()))
	health.RegisterHealthServer(server, svc)
	go server.Serve(listener)
	conn, err := grpc.NewClient("passthrough:///memory", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithUnaryInterceptor(c.Unary()), grpc.WithStreamInterceptor(c.Stream()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(); server.Stop() })
	return health.NewHealthClient(conn), svc
}

func TestServerBudgets(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name         string
		server       Server
		client       time.Duration // its deadline, 0 is none
		atLeast      time.Duration
		atMost       time.Duration
		watchAtLeast time.Duration // of the stream
		watchAtMost  time.Duration
	}{
		{"nothing said", Server{}, 0, 29 * s, 30 * s, 0, 0},
		{"the caller's", Server{}, 10 * s, 8 * s, 10 * s, 8 * s, 10 * s},
		{"the caller's is too long", Server{Default: 5 * s, Max: 8 * s}, 20 * s, 7 * s, 8 * s, 7 * s, 8 * s},
		{"less the reserve", Server{Default: 5 * s, Reserve: 2 * s}, 0, 2 * s, 3 * s, 0, 0},
		{"of the method", Server{Methods: map[string]Method{check: {Default: 2 * s}, watch: {Default: 3 * s}}}, 0, s, 2 * s, 2 * s, 3 * s},
		{"observed only", Server{Mode: deadline.Observe, Default: 5 * s, Min: 20 * s}, 10 * s, 8 * s, 10 * s, 8 * s, 10 * s},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			client, svc := connect(t, tt.server, Client{}, false)
			ctx := t.Context()
			if tt.client > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, tt.client)
				defer cancel()
			}
			if _, err := client.Check(ctx, &health.HealthCheckRequest{}); err != nil {
				t.Fatal(err)
			}
			if left := <-svc.given; left < tt.atLeast || left > tt.atMost {
				t.Errorf("the method has %v", left)
			}
			stream, err := client.Watch(ctx, &health.HealthCheckRequest{})
			if err != nil {
				t.Fatal(err)
			}
			for err == nil {
				_, err = stream.Recv()
			}
			if left := <-svc.given; err != io.EOF || left < tt.watchAtLeast || left > tt.watchAtMost {
				t.Errorf("the stream has %v, %v", left, err)
			}
		})
	}
}

// What comes too late is refused, with the trailer that keeps gRPC from trying again, and never reaches the method.
func TestServerRefuses(t *testing.T) {
	client, svc := connect(t, Server{Min: 20 * time.Second, Max: time.Minute}, Client{}, false)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := client.Check(ctx, &health.HealthCheckRequest{}); status.Code(err) != codes.DeadlineExceeded {
		t.Error(err)
	}
	interceptor := Server{Min: 20 * time.Second, Max: time.Minute}.Unary()
	trailer := new(transportStream)
	_, err := interceptor(grpc.NewContextWithServerTransportStream(ctx, trailer), nil, &grpc.UnaryServerInfo{FullMethod: check},
		func(context.Context, any) (any, error) { t.Error("called"); return nil, nil })
	if !errors.Is(err, deadline.BelowMinimum) || status.Code(err) != codes.DeadlineExceeded || len(trailer.md["grpc-retry-pushback-ms"]) != 1 {
		t.Error(err, trailer.md)
	}
	if len(svc.given) > 0 {
		t.Error("the method was called")
	}
}

// transportStream keeps the trailer.
type transportStream struct{ md metadata.MD }

func (*transportStream) Method() string                    { return check }
func (*transportStream) SetHeader(metadata.MD) error       { return nil }
func (*transportStream) SendHeader(metadata.MD) error      { return nil }
func (s *transportStream) SetTrailer(md metadata.MD) error { s.md = md; return nil }

func TestServerBadFigures(t *testing.T) {
	client, _ := connect(t, Server{Reserve: -1}, Client{}, false)
	if _, err := client.Check(t.Context(), &health.HealthCheckRequest{}); status.Code(err) != codes.Internal {
		t.Error(err)
	}
}

// A client refuses before it sends, tells a call's own time from the caller's, and takes the way off.
func TestClient(t *testing.T) {
	client, svc := connect(t, Server{}, Client{Policy: deadline.Policy{Min: 2 * time.Second}, Latency: time.Second}, false)
	ctx, cancel := context.WithTimeout(t.Context(), 2900*time.Millisecond)
	defer cancel()
	_, err := client.Check(ctx, &health.HealthCheckRequest{})
	if !errors.Is(err, deadline.BelowMinimum) || status.Code(err) != codes.DeadlineExceeded || len(svc.given) > 0 {
		t.Error(err)
	}
	if _, err := client.Watch(ctx, &health.HealthCheckRequest{}); !errors.Is(err, deadline.BelowMinimum) || status.Code(err) != codes.DeadlineExceeded {
		t.Error(err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := client.Check(ctx, &health.HealthCheckRequest{}); err != nil {
		t.Error(err)
	}
	if left := <-svc.given; left > 9*time.Second {
		t.Errorf("the method has %v", left)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	var e *deadline.Error
	if _, err := client.Check(gone, &health.HealthCheckRequest{}); errors.As(err, &e) {
		t.Error("a caller that left is told as a deadline:", err)
	}
}

func TestClientExpires(t *testing.T) {
	for name, tt := range map[string]struct {
		cap, left time.Duration
		whole     bool
	}{"the call's time": {200 * time.Millisecond, 20 * time.Second, false}, "the caller's": {20 * time.Second, 200 * time.Millisecond, true}} {
		t.Run(name, func(t *testing.T) {
			client, _ := connect(t, Server{}, Client{Policy: deadline.Policy{Cap: tt.cap}}, true)
			ctx, cancel := context.WithTimeout(t.Context(), tt.left)
			defer cancel()
			var e *deadline.Error
			_, err := client.Check(ctx, &health.HealthCheckRequest{})
			if !errors.As(err, &e) || e.Whole != tt.whole || status.Code(err) != codes.DeadlineExceeded || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v %+v", err, e)
			}
			ctx, cancel = context.WithTimeout(t.Context(), tt.left)
			defer cancel()
			stream, err := client.Watch(ctx, &health.HealthCheckRequest{})
			for err == nil {
				_, err = stream.Recv()
			}
			if !errors.As(err, &e) || e.Whole != tt.whole || status.Code(err) != codes.DeadlineExceeded {
				t.Errorf("stream: %v %+v", err, e)
			}
		})
	}
}
