package deadline

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Exponential is a back-off with full jitter: after n failures a random time below base doubled n-1 times, and below limit.
// The jitter keeps callers that failed together from coming back together.
func Exponential(base, limit time.Duration) func(failures int) time.Duration {
	return func(failures int) time.Duration {
		top := limit
		if shift := max(failures, 1) - 1; shift < 62 && base > 0 && base <= limit>>shift {
			top = base << shift
		}
		if top <= 0 {
			return 0
		}
		return rand.N(top)
	}
}

// Constant is a back-off of always the same time.
func Constant(d time.Duration) func(failures int) time.Duration {
	return func(int) time.Duration { return d }
}

// PushBack puts onto err that the dependency asks to be left alone for d before the next attempt; with a negative d, for good.
// A [Retry] waits at least so long, or stops if that does not fit in the time left. Errors with a method
// RetryAfter() time.Duration are understood too.
func PushBack(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return &pushedBack{err, d}
}

type pushedBack struct {
	error
	after time.Duration
}

func (p *pushedBack) Unwrap() error             { return p.error }
func (p *pushedBack) RetryAfter() time.Duration { return p.after }

// pushBack is the time that err asks for.
func pushBack(err error) (time.Duration, bool) {
	var asks interface{ RetryAfter() time.Duration }
	if !errors.As(err, &asks) {
		return 0, false
	}
	return asks.RetryAfter(), true
}

// RetryAfter reads the header Retry-After of an answer (RFC 9110, 10.2.3): seconds, or a date. A date is set against the Date
// of the same answer, so that a difference between the two clocks does not count; without one, against this machine's clock.
// It is false if the header is absent or not in form.
func RetryAfter(h http.Header) (time.Duration, bool) {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return time.Duration(n) * time.Second, true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(0, at.Sub(now)), true
}
