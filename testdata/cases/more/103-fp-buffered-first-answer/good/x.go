package resolvers

import (
	"context"
	"errors"
	"net"
	"time"
)

// Upstream answers one name.
type Upstream interface {
	Lookup(ctx context.Context, name string) ([]net.IP, error)
}

type reply struct {
	ips []net.IP
	err error
}

// Race asks all upstreams and takes the first good answer.
type Race struct {
	ups   []Upstream
	limit time.Duration
}

func NewRace(limit time.Duration, ups ...Upstream) *Race { return &Race{ups, limit} }

func (r *Race) Lookup(ctx context.Context, name string) ([]net.IP, error) {
	if len(r.ups) == 0 {
		return nil, errors.New("no upstreams")
	}
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	replies := make(chan reply, len(r.ups))
	for _, u := range r.ups {
		go func() {
			ips, err := u.Lookup(ctx, name)
			replies <- reply{ips, err}
		}()
	}
	var errs []error
	for range r.ups {
		select {
		case rep := <-replies:
			if rep.err == nil {
				return rep.ips, nil
			}
			errs = append(errs, rep.err)
		case <-ctx.Done():
			return nil, errors.Join(append(errs, ctx.Err())...)
		}
	}
	return nil, errors.Join(errs...)
}
