package model

import (
	"time"

	"github.com/doneby/doneby/deadline"
	"github.com/doneby/doneby/deadline/sim/internal/rule"
)

// submit is a call that reaches the station. It is drawn here how long it takes: the n-th call of a run takes as long in all
// variants that make as many.
func (r *run) submit(c *call) {
	now := r.events.Now()
	c.work = r.Law.Draw(r.services)
	if r.busy < r.Servers && r.waiting.Len() == 0 {
		r.begin(c)
		return
	}
	if c.waiting = r.waiting.Put(now, c); c.waiting == nil {
		if c.req.counts {
			r.result.Refused++
		}
		r.fail(c, false)
	}
}

// serve gives free servers what is next in the queue. What the queue or the deadline says is not worth it is answered for on the
// spot, at no cost.
func (r *run) serve() {
	now := r.events.Now()
	for r.busy < r.Servers {
		e, overdue := r.waiting.Take(now)
		if e == nil {
			return
		}
		c := e.Job
		c.waiting = nil
		late := false
		if r.Check {
			_, enough := rule.Usable(deadline.Policy{Min: r.Min}, c.end-now)
			late = !enough
		}
		if c.req.counts {
			r.result.Waited += now - e.Since
		}
		if overdue || late {
			if c.req.counts {
				r.result.Dropped++
			}
			r.fail(c, late)
			continue
		}
		r.begin(c)
	}
}

// begin is a server that begins.
func (r *run) begin(c *call) {
	r.busy++
	c.began = r.events.Now()
	if c.req.counts {
		r.result.Served++
	}
	end := c.began + min(c.work, Never-c.began)
	c.complete = !r.Stop || end <= c.end
	if !c.complete {
		end = c.end
	}
	r.events.At(end, happening{what: ends, call: c})
}

// end is a server that has done its work, or has to leave it. The answer is of use if the hop waits for it, and the client too.
func (r *run) end(c *call) {
	r.busy--
	useful := c.complete && !c.over && !c.req.done
	if now := r.events.Now(); now >= r.Warm && now < r.Warm+r.Length {
		took := now - c.began
		if useful {
			r.result.Useful += took
		} else {
			r.result.Wasted += took
		}
	}
	if c.complete && !c.over {
		c.over = true
		r.finish(c.req, true)
	}
	r.serve()
}

// Capacity is how many seconds of work the station can do within Length.
func (c *Config) Capacity() time.Duration { return c.Length * time.Duration(c.Servers) }
