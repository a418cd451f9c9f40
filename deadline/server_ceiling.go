package deadline

import (
	"sync"
	"time"
)

// half is half of the window over which rejections are counted; Finagle's DeadlineFilter has ten seconds too.
const half = 5 * time.Second

// A ceiling keeps the share of rejected requests below a fraction. Two halves of the window take turns, so that what is older
// than ten seconds is forgotten. A nil ceiling is none.
type ceiling struct {
	fraction float64
	mu       sync.Mutex
	began    time.Time
	now, old tally
}

type tally struct{ all, rejected float64 }

// served counts a request that is not to be rejected.
func (c *ceiling) served() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn()
	c.now.all++
}

// reject counts a request that is to be rejected, and reports whether it may be.
func (c *ceiling) reject() bool {
	if c == nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn()
	c.now.all++
	if c.now.rejected+c.old.rejected+1 > c.fraction*(c.now.all+c.old.all) {
		return false
	}
	c.now.rejected++
	return true
}

// turn begins a new half when this one is over.
func (c *ceiling) turn() {
	switch gone := time.Since(c.began); {
	case gone >= 2*half:
		c.old, c.now, c.began = tally{}, tally{}, time.Now()
	case gone >= half:
		c.old, c.now, c.began = c.now, tally{}, c.began.Add(half)
	}
}
