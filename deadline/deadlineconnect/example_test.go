package deadlineconnect_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"github.com/doneby/doneby/deadline"
	"github.com/doneby/doneby/deadline/deadlineconnect"
	"google.golang.org/protobuf/types/known/emptypb"
)

const procedure = "/orders.v1.Orders/Count"

func count(context.Context, *connect.Request[emptypb.Empty]) (*connect.Response[emptypb.Empty], error) {
	return connect.NewResponse(&emptypb.Empty{}), nil
}

func ExampleInterceptor_server() {
	budget := deadlineconnect.Interceptor{Policy: deadline.Policy{
		Cap:     deadline.Internal,      // of a caller without a deadline, and the most that any may have
		Reserve: 20 * time.Millisecond,  // ours, to answer
		Min:     100 * time.Millisecond, // with less it is not worth beginning
	}}
	handler := connect.NewUnaryHandler(procedure, count, connect.WithInterceptors(budget)) // or your generated New…Handler
	http.NewServeMux().Handle(procedure, handler)
	// Output:
}

func ExampleInterceptor_client() {
	budget := deadlineconnect.Interceptor{Policy: deadline.Policy{Cap: 2 * time.Second, Min: 30 * time.Millisecond}}
	client := connect.NewClient[emptypb.Empty, emptypb.Empty]( // or your generated New…Client
		http.DefaultClient, "http://orders:8080"+procedure, connect.WithInterceptors(budget))

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err := client.CallUnary(ctx, connect.NewRequest(&emptypb.Empty{}))
	fmt.Println(errors.Is(err, deadline.BelowMinimum)) // too little is left: nothing was sent
	// Output: true
}
