package receiver

import (
	"context"
	"io"
	"sync"

	"github.com/IBM/sarama"
)

type incoming struct {
	msg  *sarama.ConsumerMessage
	done func(error)
	err  error
}

// Receiver is a group handler that offers messages one at a time.
type Receiver struct {
	incoming chan incoming
	once     sync.Once
}

func New() *Receiver { return &Receiver{incoming: make(chan incoming)} }

func (r *Receiver) Setup(sarama.ConsumerGroupSession) error { return nil }

func (r *Receiver) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (r *Receiver) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for {
		select {
		case msg, ok := <-claim.Messages():
			if !ok {
				return nil
			}
			in := incoming{msg: msg, done: func(err error) {
				if err == nil {
					session.MarkMessage(msg, "")
				}
			}}
			select {
			case r.incoming <- in:
			case <-session.Context().Done():
				return nil
			}
		case <-session.Context().Done():
			return nil
		}
	}
}

// Receive returns the next message and the function that acknowledges it.
func (r *Receiver) Receive(ctx context.Context) (*sarama.ConsumerMessage, func(error), error) {
	select {
	case <-ctx.Done():
		return nil, nil, io.EOF
	case in, ok := <-r.incoming:
		if !ok {
			return nil, nil, io.EOF
		}
		return in.msg, in.done, in.err
	}
}
