// Package bad writes messages to the partitions of a log.
package bad

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrClosed is returned after Close.
var ErrClosed = errors.New("writer closed")

// Message is one record.
type Message struct {
	Key, Value []byte
}

// Broker accepts batches.
type Broker interface {
	Produce(ctx context.Context, topic string, batch []Message) error
}

// Config of a Writer.
type Config struct {
	Topic       string
	BatchSize   int
	MaxAttempts int
	BackoffMin  time.Duration
	BackoffMax  time.Duration
}

// Writer splits messages into batches and hands them to the broker.
type Writer struct {
	cfg    Config
	broker Broker
	once   sync.Once
	closed chan struct{}
}

// NewWriter returns a writer; zero values of cfg are replaced.
func NewWriter(b Broker, cfg Config) *Writer {
	if cfg.BatchSize <= 0 {
		cfg.BatchSize = 100
	}
	if cfg.MaxAttempts <= 0 {
		cfg.MaxAttempts = 10
	}
	if cfg.BackoffMin <= 0 {
		cfg.BackoffMin = 100 * time.Millisecond
	}
	if cfg.BackoffMax <= 0 {
		cfg.BackoffMax = 5 * time.Second
	}
	return &Writer{cfg: cfg, broker: b, closed: make(chan struct{})}
}

// WriteMessages returns when all messages are stored, or one could not be.
func (w *Writer) WriteMessages(ctx context.Context, msgs ...Message) error {
	for done := 0; done < len(msgs); {
		n := min(w.cfg.BatchSize, len(msgs)-done)
		if err := w.produce(ctx, msgs[done:done+n]); err != nil {
			return fmt.Errorf("after %d of %d messages: %w", done, len(msgs), err)
		}
		done += n
	}
	return nil
}

func (w *Writer) produce(ctx context.Context, batch []Message) error {
	var err error
	for n := 0; n < w.cfg.MaxAttempts; n++ { // ALSO(retry)
		if n > 0 {
			if err := w.hold(n); err != nil { // BUG(retry)
				return err
			}
		}
		err = w.broker.Produce(ctx, w.cfg.Topic, batch) // ALSO(retry)
		if err == nil || !temporary(err) {
			return err
		}
	}
	return err
}

// hold keeps the n-th repetition back for a while.
func (w *Writer) hold(n int) error {
	d := w.cfg.BackoffMin * time.Duration(n*n)
	timer := time.NewTimer(min(d, w.cfg.BackoffMax))
	defer timer.Stop()
	select { // ALSO(retry)
	case <-timer.C:
		return nil
	case <-w.closed:
		return ErrClosed
	}
}

func temporary(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

// Close ends writes that are being repeated.
func (w *Writer) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}
