package deadlineotel_test

import (
	"context"
	"fmt"
	"time"

	"github.com/doneby/doneby/deadline"
	"github.com/doneby/doneby/deadline/deadlineotel"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
)

// message is what a queue hands over.
var message = propagation.MapCarrier{"x-deadline-ms": "50"}

func ExampleNew() {
	observer, err := deadlineotel.New(nil) // the global meter provider
	if err != nil {
		return
	}
	deadline.SetObserver(observer)
	// Output:
}

func ExamplePropagator() {
	otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, deadlineotel.Propagator{}))
	// Output:
}

func ExampleClaim() {
	ctx := otel.GetTextMapPropagator().Extract(context.Background(), message) // as the instrumentation of a consumer does

	ctx, done := deadlineotel.Claim(ctx, 5*time.Second, "orders")
	defer done()
	if err := deadline.Check(ctx, 100*time.Millisecond); err != nil {
		fmt.Println(err) // too late to begin
	}
	// Output: deadline: too little time is left
}
