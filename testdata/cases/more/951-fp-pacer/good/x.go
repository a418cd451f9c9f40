// Package good copies records between two clusters.
package good

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// ErrBusy is returned by a cluster that wants to be asked later.
var ErrBusy = errors.New("cluster busy")

// pacer lets attempts through, each later than the one before.
type pacer struct {
	quit  <-chan struct{}
	left  int
	pause time.Duration
	first bool
}

func newPacer(quit <-chan struct{}, attempts int) *pacer {
	return &pacer{quit: quit, left: attempts, pause: 50 * time.Millisecond, first: true}
}

// next returns false when no further attempt is to be made.
func (p *pacer) next() bool {
	if p.left == 0 {
		return false
	}
	p.left--
	if p.first {
		p.first = false
		return true
	}
	timer := time.NewTimer(p.pause + rand.N(p.pause))
	defer timer.Stop()
	p.pause = min(2*p.pause, 5*time.Second)
	select {
	case <-timer.C:
		return true
	case <-p.quit:
		return false
	}
}

// Cluster stores records.
type Cluster interface {
	Read(ctx context.Context, from int64, n int) ([][]byte, error)
	Append(ctx context.Context, recs [][]byte) error
}

// Mirror copies from one cluster to another.
type Mirror struct {
	src, dst Cluster
	attempts int
}

// New returns a mirror.
func New(src, dst Cluster) *Mirror { return &Mirror{src: src, dst: dst, attempts: 12} }

// Copy transfers the records from offset first up to last.
func (m *Mirror) Copy(ctx context.Context, first, last int64) error {
	for at := first; at < last; {
		var recs [][]byte
		err := m.again(ctx, func() (err error) {
			recs, err = m.src.Read(ctx, at, int(min(500, last-at)))
			return err
		})
		if err == nil && len(recs) == 0 {
			err = fmt.Errorf("nothing at offset %d", at)
		}
		if err == nil {
			err = m.again(ctx, func() error { return m.dst.Append(ctx, recs) })
		}
		if err != nil {
			return fmt.Errorf("at %d: %w", at, err)
		}
		at += int64(len(recs))
	}
	return nil
}

func (m *Mirror) again(ctx context.Context, f func() error) error {
	err := ErrBusy
	for p := newPacer(ctx.Done(), m.attempts); p.next(); {
		if err = f(); !errors.Is(err, ErrBusy) {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
