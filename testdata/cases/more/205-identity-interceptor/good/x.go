package identity

import (
	"context"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

type userKey struct{}

// Verifier tells who a token belongs to.
type Verifier interface {
	Verify(ctx context.Context, token string) (string, error)
}

// Gate lets only known users through.
type Gate struct {
	verifier Verifier
	open     map[string]bool
}

// NewGate knows the methods that anybody may call.
func NewGate(v Verifier, open ...string) *Gate {
	g := &Gate{verifier: v, open: map[string]bool{}}
	for _, m := range open {
		g.open[m] = true
	}
	return g
}

func (g *Gate) identify(ctx context.Context) (string, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	vals := md.Get("authorization")
	if len(vals) == 0 {
		return "", status.Error(codes.Unauthenticated, "no token")
	}
	return g.verifier.Verify(ctx, strings.TrimPrefix(vals[0], "Bearer "))
}

func withUser(ctx context.Context, user string) context.Context {
	return context.WithValue(ctx, userKey{}, user)
}

// Unary is the interceptor of plain calls.
func (g *Gate) Unary() grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		if g.open[info.FullMethod] {
			return handler(ctx, req)
		}
		user, err := g.identify(ctx)
		if err != nil {
			return nil, err
		}
		return handler(withUser(ctx, user), req)
	}
}
