package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// judgeDeadlines judges the deadlines that fn sets on a connection which it dials and uses itself: a constant from now on,
// where a carrier in reach may have less time left.
func (r *Result) judgeDeadlines(c *court, fn *ssa.Function) {
	reach := r.reach(fn)
	if len(reach) == 0 || r.flow.loose(fn) || r.flow.cleanupFunc(fn) || r.entries.TestHelper() {
		return
	}
	for _, conn := range r.conns.dialledIn(fn) {
		sets := r.conns.sets[conn]
		inherits := false
		for _, s := range sets {
			inherits = inherits || s.inherits
		}
		for _, s := range sets {
			if inherits || s.clears || s.call.Parent() != fn || inLoop(s.call.Block()) {
				continue // it ends with a context as well; no deadline; set anew for each message
			}
			w := Wait{Name: "I/O on the connection", Src: s.call.Common().Pos(), In: fn}
			c.add(r.verdict("fixedtimeout", "conn", w, w.Name, reach))
			break
		}
	}
}

// dialledIn returns the connections that fn dials and sets a deadline on, in source order.
func (c *conns) dialledIn(fn *ssa.Function) []contexts.Conn {
	var out []contexts.Conn
	for call := range ssawalk.Calls(fn) {
		v, ok := call.(*ssa.Call)
		if conn := (contexts.Conn{Value: v}); ok && len(c.sets[conn]) > 0 && c.r.ctx.Dialled(conn) {
			out = append(out, conn)
		}
	}
	return out
}
