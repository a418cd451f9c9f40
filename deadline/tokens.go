package deadline

import (
	"sync"
	"time"
)

// Tokens are the retries that all callers of one dependency may make together. A count per call does not bound them: three
// attempts each, at three hops, are 27 times the load, just when there is too much of it.
//
// The zero value is ready for use and has Finagle's defaults: retries may be a fifth of the requests, and ten a second in any
// case, over the last ten seconds. [NewTokens] sets other numbers, [NewThrottle] the scheme of gRPC. A nil *Tokens allows all.
// Tokens must not be copied after their first use.
type Tokens struct {
	mu sync.Mutex

	// The scheme of Finagle (RetryBudget): each request pays in a share, each retry takes out one, and both are forgotten
	// after the window; a floor is there in any case.
	share, floor float64 // floor is in tokens a window
	window       time.Duration
	began        time.Time
	slots        [10]float64 // payments less retries, by tenths of the window
	slot         int64       // the tenth, counted from began, that was written last

	// The scheme of gRPC (A6, retryThrottling): a failure takes one out, a success pays in a share, and there are retries
	// while more than half is there. max is 0 in the other scheme.
	max, ratio, level float64
}

// NewTokens allows share of the requests of the last window to be retried (0.2 is one in five), and floor a second in any
// case. Numbers of 0 or less are those of the zero value, but a negative floor is none.
func NewTokens(share, floor float64, window time.Duration) *Tokens {
	t := &Tokens{share: share, window: window}
	t.defaults()
	switch {
	case floor > 0:
		t.floor = floor * t.window.Seconds()
	case floor < 0:
		t.floor = 0
	}
	return t
}

// NewThrottle is the scheme of gRPC's retryThrottling: of size tokens each failed attempt takes one, each success pays in
// ratio, and retries go on while more than half of size is there. Numbers of 0 or less are gRPC's examples, 10 and 0.1.
func NewThrottle(size, ratio float64) *Tokens {
	if !(size > 0) { // NaN is not
		size = 10
	}
	if !(ratio > 0) {
		ratio = 0.1
	}
	return &Tokens{max: size, ratio: ratio, level: size}
}

// defaults fills in what is not set, once. The floor is filled in together with the window that it is counted in.
func (t *Tokens) defaults() {
	if !t.began.IsZero() {
		return
	}
	t.began = time.Now()
	if !(t.share > 0) { // NaN is not
		t.share = 0.2
	}
	if t.window < 10 {
		t.window = 10 * time.Second
	}
	t.floor = 10 * t.window.Seconds()
}

// Request is to be called once for each request, whatever its attempts.
func (t *Tokens) Request() {
	if t == nil || t.max > 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.slots[t.now()] += t.share
}

// Success is to be called for each attempt that succeeded.
func (t *Tokens) Success() {
	if t == nil || t.max == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.level = min(t.max, t.level+t.ratio)
}

// Failure is to be called for each attempt that failed in a way that may be retried.
func (t *Tokens) Failure() {
	if t == nil || t.max == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.level = max(0, t.level-1)
}

// Retry reports whether another attempt may be made, and takes its token out.
func (t *Tokens) Retry() bool {
	if t == nil {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.max > 0 {
		return t.level > t.max/2
	}
	slot := t.now()
	balance := t.floor
	for _, s := range t.slots {
		balance += s
	}
	if balance < 1-1e-9 { // a fifth five times is a little less than one
		return false
	}
	t.slots[slot]--
	return true
}

// now is the slot of this moment; the slots of times without a call in between are emptied.
func (t *Tokens) now() int {
	t.defaults()
	now := int64(time.Since(t.began) / (t.window / 10))
	for skipped := min(now-t.slot, 10); skipped > 0; skipped-- {
		t.slot++
		t.slots[t.slot%10] = 0
	}
	t.slot = now
	return int(now % 10)
}
