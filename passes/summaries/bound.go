package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// bound notes the wait's own bound: a timer that ends it, a timeout argument, a field or the construction of the client, the library's
// default.
func (r *Result) bound(e *effect, t contexts.Target, row knowledge.Row) {
	switch {
	case r.ended != nil && r.ended.timed(e.call):
		e.Own = true
	case row.Within.Kind != knowledge.NoPlace:
		e.Own = true
		e.For, _ = r.lengths.Of(t.At(row.Within))
	case row.Until.Kind != knowledge.NoPlace:
		e.Own = true
	case row.Default > 0:
		e.Own, e.For, e.Default = true, row.Default, true
	case row.Unless != "":
		on := boundedBy(t, row)
		if made, ok := e.call.(*ssa.Call); ok && on == nil {
			on = made
		}
		e.limited(r.ctx.Excepted(on, row.Unless))
	case len(row.Fields) > 0 || viaClient(t) || dialsBehind(t, row):
		e.limited(r.ctx.Limit(boundedBy(t, row), row.Fields))
	case t.Recv() == nil && t.Obj.Pkg() != nil && t.Obj.Pkg().Path() == "net/http":
		e.limited(r.ctx.DefaultLimit()) // http.Get and its like
	}
}

// limited notes what is known of the bound of a client.
func (e *effect) limited(l contexts.Limit) {
	switch l {
	case contexts.LimitOwn:
		e.Own = true
	case contexts.LimitUnknown:
		e.Unsure = true
	}
}

// leftOf is the context whose time left a call without a context is given as its timeout or instant, so that it ends by that deadline as
// if it took the context.
func (r *Result) leftOf(t contexts.Target, row knowledge.Row) contexts.Set {
	if !row.Limit().IsSet() {
		return nil
	}
	if from := contexts.DeadlineOf(t.At(row.Limit())); from != nil {
		return r.ctx.Origins(from)
	}
	return nil
}

// dialsBehind reports whether a call dials through an interface without a context: the dialer behind it may be a *net.Dialer with a
// Timeout.
func dialsBehind(t contexts.Target, row knowledge.Row) bool {
	return !row.Ctx.IsSet() && t.Obj.Name() == "Dial" && typeset.IsInterfaceMethod(t.Obj)
}

// boundedBy is the client or dialer whose fields bound a call.
func boundedBy(t contexts.Target, row knowledge.Row) ssa.Value {
	if row.On.Kind != knowledge.NoPlace {
		return t.At(row.On)
	}
	return t.Recv()
}
