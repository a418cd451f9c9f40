package gnmisub

import (
	"context"
	"errors"
	"log"
	"sync"
	"time"
)

type Update struct {
	Path string
	Val  any
}

type stream interface {
	Recv() (Update, error)
}

// Device opens subscription streams.
type Device interface {
	Subscribe(ctx context.Context, path string) (stream, error)
}

type Target struct {
	dev     Device
	retry   time.Duration
	updates chan Update
	mu      sync.Mutex
	cancels map[string]context.CancelFunc
}

func NewTarget(d Device, retry time.Duration) *Target {
	return &Target{dev: d, retry: retry, updates: make(chan Update), cancels: map[string]context.CancelFunc{}}
}

func (t *Target) register(path string, c context.CancelFunc) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.cancels[path]; ok {
		return errors.New("subscribed already")
	}
	t.cancels[path] = c
	return nil
}

// Subscribe keeps a subscription alive until ctx ends.
func (t *Target) Subscribe(ctx context.Context, path string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := t.register(path, cancel); err != nil {
		return err
	}
SUBSC:
	st, err := t.dev.Subscribe(ctx, path)
	if err != nil {
		log.Printf("%s: %v, retrying in %s", path, err, t.retry)
		time.Sleep(t.retry) // BUG(retry)
		goto SUBSC
	}
	for {
		u, err := st.Recv()
		if err != nil {
			log.Printf("%s: stream ended: %v", path, err)
			time.Sleep(t.retry) // BUG(retry)
			goto SUBSC
		}
		select {
		case t.updates <- u:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (t *Target) Updates() <-chan Update { return t.updates }
