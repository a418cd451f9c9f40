package summaries

import "github.com/doneby/doneby/passes/contexts"

// judgeLifetime judges a component's own context where it is to end a call that the tables know. It ends loops, sleeps and
// streams; it does not bound one RPC, query or dial.
func (r *Result) judgeLifetime(c *court, e effect, o contexts.Origin) {
	w := e.Wait
	w.Own, w.For = own(e, o)
	at := r.callAt(w.In, w.Src)
	switch {
	case w.Own || e.Meant || e.Unsure || !e.Known || e.Retry || e.Lookup || e.Local:
		return // bounded, if only by the resolver; meant to last, perhaps bounded, or perhaps no wait; a life ends loops and local waits
	case r.quiet(e, at):
		return // part of ending the component
	}
	reach := r.reach(e.fn)
	if len(reach) > 0 {
		if e.Async {
			return // what it is given to outlives the call
		}
		c.add(r.verdict("detached", "component", w, originName(o), reach))
		return
	}
	if r.oneShot(w.In) {
		c.add(r.verdict("unbounded", "oneshot", w, originName(o), nil))
		return
	}
	c.add(r.verdict("unbounded", "lifetime", w, originName(o), nil))
}

func originName(o contexts.Origin) string {
	if o.Name == "" {
		return "the component's context"
	}
	return o.Name
}
