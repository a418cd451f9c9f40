package model

import (
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/rule"
)

// attempt is the hop that calls for a request, for the first time or again.
func (r *run) attempt(req *request) {
	now := r.events.Now()
	if r.tokens != nil && req.failures == 0 {
		r.tokens.Request(now)
	}
	c := &call{req: req, end: Never}
	switch {
	case r.Clamp:
		usable, ok := rule.Usable(rule.Attempt(r.asAgain), req.end-now)
		if !ok { // nothing is begun, and the client hears at once
			r.finish(req, false)
			return
		}
		c.end = now + usable
		c.whole = c.end == req.end
	case r.Timeout > 0:
		c.end = now + r.Timeout
	}
	if req.counts {
		r.result.Calls++
	}
	r.submit(c)
	if c.end < Never && !c.over {
		r.events.At(c.end, happening{what: expires, call: c})
	}
}

// expire is the hop that waits for an attempt no more.
func (r *run) expire(c *call) {
	if c.over {
		return
	}
	if r.Leave && c.waiting != nil {
		r.waiting.Leave(c.waiting)
		c.waiting = nil
		if c.req.counts {
			r.result.Dropped++
		}
	}
	r.fail(c, true)
}

// fail is an attempt that came to nothing, for want of time or because the queue would not have it: the hop tries again, or tells
// the client.
func (r *run) fail(c *call, late bool) {
	if c.over {
		return // the hop has given up on it before
	}
	c.over = true
	req, now := c.req, r.events.Now()
	req.failures++
	pause := r.pause(req.failures)
	again := req.failures < r.Attempts // all that a fixed number of attempts asks for
	if r.Clamp {
		again = rule.Again(r.asAgain, req.failures, req.end-now, pause, c.whole && late)
	}
	if again && r.tokens != nil {
		again = r.tokens.Retry(now)
	}
	if !again {
		r.finish(req, false)
		return
	}
	r.events.At(now+pause, happening{what: attempts, req: req})
}

// pause is that of deadline.Exponential, below a limit that is never reached here.
func (r *run) pause(failures int) time.Duration {
	if r.Backoff == 0 {
		return 0
	}
	return time.Duration(r.pauses.Int64N(int64(r.Backoff << (failures - 1))))
}
