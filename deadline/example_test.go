package deadline_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/doneby/doneby/deadline"
)

// The examples of the README: TestReadme compares the two.

var (
	ctx   = context.Background()
	order = struct{ ID int }{7}
)

func render(context.Context) error { return nil }
func charge(context.Context) error { return nil }
func lookUp(context.Context) error { return nil }
func parse(context.Context) error  { return nil }
func refund(context.Context) error { return nil }
func save(context.Context) error   { return nil }
func handle(context.Context) error { return nil }
func publish(deadline.Envelope)    {}

func ExampleRemaining() {
	if left, ok := deadline.Remaining(ctx); ok {
		slog.InfoContext(ctx, "calling", "left", left)
	}
	// Output:
}

func ExampleEnough() {
	if deadline.Enough(ctx, 50*time.Millisecond) {
		render(ctx) // else answer without the picture
	}
	// Output:
}

func ExampleCheck() {
	if err := deadline.Check(ctx, 20*time.Millisecond); err != nil {
		fmt.Println(err) // return err: the next stage is not worth beginning
	}
	// Output:
}

var payments = deadline.Policy{
	Name:    "payments",
	Cap:     2 * time.Second,       // it takes 20ms; at 2s it hangs
	Reserve: 50 * time.Millisecond, // ours, to answer and to clean up
	Min:     30 * time.Millisecond, // with less it is not worth asking
}

func ExamplePolicy_Do() {
	if err := payments.Do(ctx, charge); errors.Is(err, context.DeadlineExceeded) {
		fmt.Println(err) // the time, and what the call said
	}
	// Output:
}

func ExamplePolicy_Start() {
	ctx, cancel, err := payments.Start(ctx)
	if err != nil {
		fmt.Println(err) // too little time: nothing was started
		return
	}
	defer cancel()
	charge(ctx)
	// Output:
}

func ExampleWithin() {
	ctx, cancel, err := deadline.Within(ctx, 2*time.Second)
	if err != nil {
		return
	}
	defer cancel()
	lookUp(ctx)
	// Output:
}

func ExampleHold() {
	below, cancel, err := deadline.Hold(ctx, 100*time.Millisecond)
	if err != nil {
		return
	}
	defer cancel()
	if err := lookUp(below); err != nil {
		render(ctx) // there are 100ms left to say so
	}
	// Output:
}

func ExampleShare() {
	first, cancel, err := deadline.Share(ctx, 1, 3) // a third of the time left
	if err != nil {
		return
	}
	defer cancel()
	parse(first)
	render(ctx)
	// Output:
}

func ExampleDetach() {
	later, cancel := deadline.Detach(ctx, 10*time.Second)
	go func() {
		defer cancel()
		refund(later) // the request may be over, and this is not without an end
	}()
	// Output:
}

func ExampleGrace() {
	last, cancel := deadline.Grace(ctx, 500*time.Millisecond)
	defer cancel()
	if err := handle(ctx); err != nil {
		save(last) // half a second more than ctx, whenever that ends
	}
	// Output:
}

func ExampleSleep() {
	if err := deadline.Sleep(ctx, time.Millisecond, 20*time.Millisecond); err != nil {
		fmt.Println(err) // after the pause, less than 20ms would be left
	}
	// Output:
}

func ExampleBind() {
	conn, other := net.Pipe()
	go other.Write([]byte("pong"))
	stop, err := deadline.Bind(ctx, conn)
	if err != nil {
		return
	}
	answer := make([]byte, 4)
	io.ReadFull(conn, answer)
	if !stop() {
		conn.Close() // ctx ended in the middle of a message
	}
	fmt.Printf("%s\n", answer)
	// Output: pong
}

func ExampleWithBudget() {
	ctx, done := deadline.WithBudget(ctx, 5*time.Second, "nightly report")
	defer done()
	handle(ctx)
	// Output:
}

func ExampleBudgetOf() {
	ctx, done := deadline.WithBudget(ctx, 5*time.Second, "nightly report")
	defer done()
	if b, ok := deadline.BudgetOf(ctx); ok {
		fmt.Println(b.Route, b.Total)
	}
	// Output: nightly report 5s
}

func ExampleRetry() {
	tokens := deadline.NewTokens(0.1, 5, 10*time.Second) // one for all callers of the dependency
	retry := deadline.Retry{
		Name:       "payments",
		Attempts:   4,
		AttemptCap: time.Second,
		Min:        100 * time.Millisecond, // an attempt takes so long at worst
		Budget:     tokens,
		Backoff:    deadline.Exponential(time.Millisecond, 10*time.Millisecond),
	}
	attempts := 0
	err := retry.Do(ctx, func(ctx context.Context) error {
		if attempts++; attempts < 3 {
			return io.ErrUnexpectedEOF
		}
		return charge(ctx)
	})
	fmt.Println(attempts, err)
	// Output: 3 <nil>
}

func ExamplePushBack() {
	busy := errors.New("503 Service Unavailable")
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	err := deadline.Retry{}.Do(ctx, func(context.Context) error {
		return deadline.PushBack(busy, time.Minute) // from deadline.RetryAfter(resp.Header)
	})
	fmt.Println(errors.Is(err, deadline.RetryWouldNotFit), errors.Is(err, busy))
	// Output: true true
}

func ExampleStamp() {
	queue := make(chan deadline.Item[int], 1)
	queue <- deadline.Stamp(ctx, order.ID)

	work, done, id, err := deadline.Receive(context.Background(), queue, payments)
	if err != nil {
		return // the queue is closed; what is too late never comes out of it
	}
	defer done()
	charge(work)
	fmt.Println("order", id)
	// Output: order 7
}

func ExampleItem_Take() {
	queue := []deadline.Item[int]{deadline.Stamp(ctx, order.ID)}
	work, done, err := queue[0].Take(payments)
	if err != nil {
		return // its time passed in the queue
	}
	defer done()
	charge(work)
	// Output:
}

func ExampleGate() {
	gate := &deadline.Gate{Name: "rendering", Size: 8, Need: 40 * time.Millisecond}
	if err := gate.Acquire(ctx, 1); err != nil {
		fmt.Println(err) // those before us take longer than we have
		return
	}
	defer gate.Release(1)
	render(ctx)
	// Output:
}

func ExampleConsumer_Open() {
	publish(deadline.Seal(ctx)) // beside the message, as a header or a field

	consumer := deadline.Consumer{Policy: payments, Skew: 100 * time.Millisecond, Overdue: deadline.Drop}
	work, done, do, err := consumer.Open(context.Background(), deadline.Envelope{RemainingMs: 0, SentUnixMs: 1735689630123})
	defer done()
	if do == deadline.Process {
		charge(work)
	}
	fmt.Println(do, errors.Is(err, deadline.QueueExpired))
	// Output: drop true
}

// metrics is an observer that prints what it is told.
type metrics struct{}

func (metrics) Observe(_ context.Context, e deadline.Event) { fmt.Println(e.Kind, e.Name) }

func ExampleSetObserver() {
	deadline.SetObserver(metrics{})
	defer deadline.SetObserver(nil)
	deadline.Policy{Name: "search"}.Do(context.Background(), lookUp)
	// Output: unbounded_call search
}
