package deadline

import (
	"slices"
	"sync"
	"time"
)

// An Estimate measures how long the attempts of one dependency take, for a [Retry] that is to know whether another one fits.
// The zero value is ready for use; a nil *Estimate measures nothing. It must not be copied after its first use.
//
// It holds the last 128 attempts, those included that their deadline cut off, which took at least so long. It says nothing
// until there are 16 of them.
type Estimate struct {
	mu    sync.Mutex
	took  [128]time.Duration
	count int // of all attempts; the last is at (count-1) mod 128
}

// Add tells what an attempt took.
func (e *Estimate) Add(took time.Duration) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.took[e.count%len(e.took)] = took
	e.count++
}

// Longest is the time that 19 of 20 attempts stay within, or 0 if nothing is known yet.
func (e *Estimate) Longest() time.Duration {
	if e == nil {
		return 0
	}
	e.mu.Lock()
	n := min(e.count, len(e.took))
	took := e.took
	e.mu.Unlock()
	if n < 16 {
		return 0
	}
	slices.Sort(took[:n])
	return took[(n*19-1)/20]
}
