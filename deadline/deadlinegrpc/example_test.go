package deadlinegrpc_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/doneby/doneby/deadline"
	"github.com/doneby/doneby/deadline/deadlinegrpc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	health "google.golang.org/grpc/health/grpc_health_v1"
)

func ExampleServer() {
	budget := deadlinegrpc.Server{
		Default: deadline.Internal,      // of a caller without a deadline, and the most that any may have
		Reserve: 20 * time.Millisecond,  // ours, to answer
		Min:     100 * time.Millisecond, // with less it is not worth beginning
		Methods: map[string]deadlinegrpc.Method{"/orders.v1.Orders/Export": {Default: time.Minute}},
		Mode:    deadline.Observe, // for the first weeks; then take this line away
	}
	server := grpc.NewServer(
		grpc.ChainUnaryInterceptor(budget.Unary()),
		grpc.ChainStreamInterceptor(budget.Stream()),
		grpc.InTapHandle(budget.Tap()),
	)
	defer server.Stop()
	// Output:
}

func ExampleClient() {
	budget := deadlinegrpc.Client{
		Policy:  deadline.Policy{Cap: 2 * time.Second, Min: 30 * time.Millisecond},
		Latency: time.Millisecond,
	}
	conn, err := grpc.NewClient("dns:///orders:8080",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithChainUnaryInterceptor(budget.Unary()),
		grpc.WithChainStreamInterceptor(budget.Stream()),
	)
	if err != nil {
		return
	}
	defer conn.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err = health.NewHealthClient(conn).Check(ctx, &health.HealthCheckRequest{})
	fmt.Println(errors.Is(err, deadline.BelowMinimum)) // too little is left: nothing was sent
	// Output: true
}
