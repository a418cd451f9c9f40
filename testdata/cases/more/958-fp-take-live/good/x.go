// Package good transcodes clips in the order of their arrival.
package good

import (
	"context"
	"errors"
	"sync/atomic"
)

// ErrFull is returned if too many clips are waiting.
var ErrFull = errors.New("too many clips waiting")

// Clip is what is to be transcoded.
type Clip struct {
	Path    string
	Profile string
}

type ticket struct {
	ctx  context.Context
	clip Clip
	done chan error
}

// Codec does the work, in seconds of computing per clip.
type Codec interface {
	Transcode(c Clip) error
}

// Bench has one worker per Work call.
type Bench struct {
	codec   Codec
	waiting chan *ticket
	skipped atomic.Int64
}

// NewBench returns a bench with room for n clips.
func NewBench(c Codec, n int) *Bench {
	return &Bench{codec: c, waiting: make(chan *ticket, n)}
}

// Skipped returns how many clips nobody wanted any longer.
func (b *Bench) Skipped() int64 { return b.skipped.Load() }

// Transcode queues a clip and waits until it is finished.
func (b *Bench) Transcode(ctx context.Context, c Clip) error {
	t := &ticket{ctx: ctx, clip: c, done: make(chan error, 1)}
	select {
	case b.waiting <- t:
	default:
		return ErrFull
	}
	select {
	case err := <-t.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Work transcodes until ctx ends.
func (b *Bench) Work(ctx context.Context) {
	for {
		t, ok := b.take(ctx)
		if !ok {
			return
		}
		b.run(t)
	}
}

// take returns the next ticket whose owner is still there.
func (b *Bench) take(ctx context.Context) (*ticket, bool) {
	for {
		select {
		case <-ctx.Done():
			return nil, false
		case t := <-b.waiting:
			if ctx.Err() != nil {
				t.done <- ctx.Err()
				return nil, false
			}
			if t.live() {
				return t, true
			}
			b.skipped.Add(1)
		}
	}
}

func (t *ticket) live() bool {
	select {
	case <-t.ctx.Done():
		return false
	default:
		return true
	}
}

func (b *Bench) run(t *ticket) {
	t.done <- b.codec.Transcode(t.clip)
}
