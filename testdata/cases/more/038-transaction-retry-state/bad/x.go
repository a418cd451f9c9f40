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
	sleep    func(time.Duration)
}

func (s *retryState) more(ctx context.Context) bool {
	n := len(s.errs)
	if n == 0 {
		return true
	}
	if n > s.max || !transient(s.errs[n-1]) {
		return false
	}
	s.sleep(s.throttle.delay(n)) // BUG(retry)
	return true
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
	st := retryState{max: s.max, throttle: throttle(time.Second), sleep: time.Sleep}
	for st.more(ctx) { // ALT(retry)
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
