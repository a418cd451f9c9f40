// Package rule is what package deadline decides, at the simulator's own time.
//
// Package deadline asks the clock of the machine, and has on purpose no other: a fake clock beside contexts whose timers are
// real goes wrong. Under testing/synctest its time can be stopped, but that is for tests, and a simulator is a program. So the
// few lines of arithmetic stand here a second time, over a time that is handed in; they take the policies of package deadline as
// they are, and two tests hold them to it. TestDecisions puts the same random cases to both and wants the same answers, to the
// nanosecond; TestRealPackage, in package model, lets goroutines, queues and contexts of package deadline live through an
// overload and wants the simulator to have foretold the end of each request.
package rule

import (
	"time"

	"github.com/doneby/doneby/deadline"
)

// Usable is what [deadline.Policy.Start] gives a call when left is left of its caller's time, and what [deadline.Item.Take]
// gives work that is taken out of its queue: min(cap, left - reserve). It is false if that is not enough to begin.
func Usable(p deadline.Policy, left time.Duration) (time.Duration, bool) {
	usable := left - p.Reserve
	if left <= 0 || usable <= 0 || usable < p.Min {
		return 0, false
	}
	if p.Cap > 0 {
		usable = min(usable, p.Cap)
	}
	return usable, true
}

// Attempt is the policy of each attempt of r, without a split.
func Attempt(r deadline.Retry) deadline.Policy {
	return deadline.Policy{Cap: r.AttemptCap, Reserve: r.Reserve, Min: r.Min}
}

// Again is what [deadline.Retry.Do] decides, but for the tokens, when that many attempts have failed: whether another one, after
// the pause, fits in what is left. Whole is that the last attempt had all the time there was, and was told that it is too
// little: the next would have less.
func Again(r deadline.Retry, failures int, left, pause time.Duration, whole bool) bool {
	return left > 0 && !whole && failures < r.Attempts && left-pause-r.Reserve >= max(r.Min, 1)
}

// Tokens are [deadline.Tokens] in the scheme of Finagle. Use NewTokens.
type Tokens struct {
	share, floor float64 // floor is in tokens a window
	tenth        time.Duration
	slots        [10]float64 // payments less retries, by tenths of the window
	slot         int64
}

// NewTokens is [deadline.NewTokens], at time 0; share and floor are more than 0.
func NewTokens(share, floor float64, window time.Duration) *Tokens {
	return &Tokens{share: share, floor: floor * window.Seconds(), tenth: window / 10}
}

// Request is told of a request at now.
func (t *Tokens) Request(now time.Duration) { *t.at(now) += t.share }

// Retry reports whether another attempt may be made at now, and takes its token out.
func (t *Tokens) Retry(now time.Duration) bool {
	slot := t.at(now)
	balance := t.floor
	for _, s := range t.slots {
		balance += s
	}
	if balance < 1-1e-9 {
		return false
	}
	*slot--
	return true
}

// at is the slot of now; those that time went past since are emptied.
func (t *Tokens) at(now time.Duration) *float64 {
	n := int64(now / t.tenth)
	for skipped := min(n-t.slot, 10); skipped > 0; skipped-- {
		t.slot++
		t.slots[t.slot%10] = 0
	}
	t.slot = n
	return &t.slots[n%10]
}
