package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// tooLate reports whether a connection that the function of the call dials gets its deadlines only afterwards: a greeting is read, and
// then the deadline is set for what follows (go-mail/mail#67 is one of many). A deadline that another function sets counts as set
// before, unless that function can only have the connection from a field into which it is put after the call.
func (c *conns) tooLate(call ssa.CallInstruction, x contexts.Conn, sets []deadlineSet) bool {
	dial, ok := x.Value.(*ssa.Call)
	if !ok || dial.Parent() != call.Parent() || !ssawalk.Before(dial, call) {
		return false // from elsewhere: it may have a deadline when it comes
	}
	for _, s := range sets {
		switch {
		case s.inherits:
			return false // ends with a context, by a watcher whose place says nothing
		case s.call.Parent() != call.Parent():
			if !c.keptLater(call, s) {
				return false
			}
		case s.call == call || ssawalk.MayFollow(s.call, call):
			return false
		}
	}
	return true
}

// keptLater reports whether a deadline is set on a connection read from a field, which the function of the call fills after the call
// or not at all.
func (c *conns) keptLater(call ssa.CallInstruction, s deadlineSet) bool {
	targets, _ := c.r.ctx.Targets(s.call.Common())
	if len(targets) != 1 {
		return false
	}
	from, sure := c.r.ctx.Conns(targets[0].Recv())
	if !sure {
		return false
	}
	for _, y := range from {
		if y.Field == nil || c.filledBefore(call, y.Field) {
			return false
		}
	}
	return true
}

// filledBefore reports whether the function of the call may have stored to a field before the call.
func (c *conns) filledBefore(call ssa.CallInstruction, f *types.Var) bool {
	for in := range ssawalk.Instrs(call.Parent()) {
		st, ok := in.(*ssa.Store)
		if !ok {
			continue
		}
		if g, _ := ssawalk.Field(st.Addr); g == f && ssawalk.MayFollow(st, call) {
			return true
		}
	}
	return false
}
