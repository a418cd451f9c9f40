// Package good fetches layers from the first mirror that has them.
package good

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Mirror is one place to fetch from.
type Mirror interface {
	Name() string
	Open(ctx context.Context, digest string) (io.ReadCloser, error)
}

// Puller asks mirrors in order, upstream last.
type Puller struct {
	mirrors []Mirror
	perTry  time.Duration
}

// NewPuller makes a Puller.
func NewPuller(perTry time.Duration, m ...Mirror) *Puller {
	return &Puller{mirrors: m, perTry: perTry}
}

func (p *Puller) read(ctx context.Context, m Mirror, digest string) ([]byte, error) {
	rc, err := m.Open(ctx, digest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name(), err)
	}
	defer rc.Close()
	return io.ReadAll(rc)
}

// Layer returns the blob with this digest.
func (p *Puller) Layer(ctx context.Context, digest string) ([]byte, error) {
	var errs []error
	for _, m := range p.mirrors {
		try, cancel := context.WithTimeout(ctx, p.perTry)
		blob, err := p.read(try, m, digest)
		cancel()
		if err == nil {
			return blob, nil
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errors.Join(errs...)
}
