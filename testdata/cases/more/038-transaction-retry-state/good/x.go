package neotx

import (
	"context"
	"errors"
	"time"
)

type throttle time.Duration

func (t throttle) delay(n int) time.Duration {
	d := time.Duration(t) * time.Duration(n+1)
	return min(d, 30*time.Second)
}

type retryState struct {
	errs     []error
	max      int
	throttle throttle
}

func (s *retryState) more(ctx context.Context) bool {
	n := len(s.errs)
	if n == 0 {
		return true
	}
	if n > s.max || !transient(s.errs[n-1]) {
		return false
	}
	t := time.NewTimer(s.throttle.delay(n))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		s.errs = append(s.errs, ctx.Err())
		return false
	}
}

type transientError struct{ error }

func transient(err error) bool {
	var t transientError
	return errors.As(err, &t)
}

// Tx is an open transaction.
type Tx interface {
	Run(ctx context.Context, q string) error
	Commit(ctx context.Context) error
}

type Session struct {
	begin func(ctx context.Context) (Tx, error)
	max   int
}

// Execute runs work in a transaction, again after transient errors.
func (s *Session) Execute(ctx context.Context, work func(Tx) error) error {
	st := retryState{max: s.max, throttle: throttle(time.Second)}
	for st.more(ctx) {
		tx, err := s.begin(ctx)
		if err == nil {
			if err = work(tx); err == nil {
				err = tx.Commit(ctx)
			}
		}
		if err == nil {
			return nil
		}
		st.errs = append(st.errs, err)
	}
	return errors.Join(st.errs...)
}
