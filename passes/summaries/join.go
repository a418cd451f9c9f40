package summaries

import "github.com/doneby/doneby/passes/contexts"

// noteJoin marks the places that a wait is about which is not over when its call returns, or which is meant to go on when
// the caller's context is over: what stands there cannot be given that context without a change of what the program does.
func (r *Result) noteJoin(c *court, e effect) {
	if e.End != ByParam {
		if e.Async || e.Meant || r.quiet(e, nil) {
			c.loose[e.Src], c.loose[e.call.Common().Pos()] = true, true // of the API, and of the call here on the way to it
		}
		return
	}
	for _, o := range e.set {
		if o.Kind == contexts.Unknown || o.Inherited() {
			continue
		}
		if e.Async || e.Meant || r.quiet(e, r.callAt(o.In, o.Pos)) {
			c.loose[atOrigin(e.Wait, o, e).Src] = true
		}
	}
}
