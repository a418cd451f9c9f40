// Package bad takes work items out of a JetStream queue.
package bad

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/nats-io/nats.go"
)

// Queue hands out items of type T.
type Queue[T any] struct {
	sub   *nats.Subscription
	wait  time.Duration
	batch int
	opts  []nats.PullOpt
}

// Item is a decoded message that waits for its acknowledgement.
type Item[T any] struct {
	Value T
	msg   *nats.Msg
}

// Done takes the item out of the queue.
func (i Item[T]) Done() error { return i.msg.Ack() }

// Later puts the item back.
func (i Item[T]) Later(after time.Duration) error { return i.msg.NakWithDelay(after) }

// Bind attaches to a consumer that exists already.
func Bind[T any](js nats.JetStreamContext, stream, consumer string, wait time.Duration) (*Queue[T], error) {
	sub, err := js.PullSubscribe("", consumer, nats.Bind(stream, consumer))
	if err != nil {
		return nil, fmt.Errorf("bind %s/%s: %w", stream, consumer, err)
	}
	return &Queue[T]{
		sub:   sub,
		wait:  wait,
		batch: 16,
		opts:  []nats.PullOpt{nats.MaxWait(wait)}, // ALSO(fixedtimeout)
	}, nil
}

// Receive returns the next items; none if there are none for a while.
func (q *Queue[T]) Receive(ctx context.Context) ([]Item[T], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	msgs, err := q.fetch() // ALSO(fixedtimeout)
	if err != nil {
		return nil, err
	}
	items := make([]Item[T], 0, len(msgs))
	for _, m := range msgs {
		var v T
		if err := json.Unmarshal(m.Data, &v); err != nil {
			log.Printf("queue: dropping malformed item on %s: %v", m.Subject, err)
			if err := m.Term(); err != nil {
				log.Printf("queue: %v", err)
			}
			continue
		}
		items = append(items, Item[T]{Value: v, msg: m})
	}
	return items, nil
}

func (q *Queue[T]) fetch() ([]*nats.Msg, error) {
	msgs, err := q.sub.Fetch(q.batch, q.opts...) // BUG(fixedtimeout)
	if errors.Is(err, nats.ErrTimeout) {
		return nil, nil
	}
	return msgs, err
}

// Close gives up the subscription; the consumer stays.
func (q *Queue[T]) Close() error { return q.sub.Unsubscribe() }

// Thumbnail is the order for one picture.
type Thumbnail struct {
	Source string `json:"source"`
	Width  int    `json:"width"`
}

// Render makes the pictures of one batch.
type Render func(ctx context.Context, t Thumbnail) error

// Work renders until ctx ends.
func Work(ctx context.Context, q *Queue[Thumbnail], render Render) error {
	for {
		items, err := q.Receive(ctx)
		if err != nil {
			return err
		}
		for _, it := range items {
			if err := render(ctx, it.Value); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				log.Printf("render %s: %v", it.Value.Source, err)
				if err := it.Later(30 * time.Second); err != nil {
					log.Printf("queue: %v", err)
				}
				continue
			}
			if err := it.Done(); err != nil {
				log.Printf("queue: %v", err)
			}
		}
	}
}
