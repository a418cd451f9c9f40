package summaries

import (
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// judgeTimers judges the selects of fn that only a timer ends, where a carrier is in reach:
//
//	select {
//	case v := <-results:
//	case <-time.After(30 * time.Second):
//	}
func (r *Result) judgeTimers(c *court, fn *ssa.Function) {
	reach := r.reach(fn)
	if len(reach) == 0 || r.flow.loose(fn) || r.flow.cleanupFunc(fn) || r.entries.TestHelper() {
		return // nothing to inherit, a goroutine of its own, a clean-up, a test
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			sel, ok := in.(*ssa.Select)
			if !ok || !sel.Blocking || inLoop(b) || r.flow.afterDone(sel) {
				continue // with a default it does not wait; a loop takes items; nothing is left to inherit
			}
			if made, length := r.onlyTimer(sel); made != nil {
				c.add(r.timerVerdict(made, length, reach, fn))
			}
		}
	}
}

// onlyTimer returns the call that makes the timer which alone ends a select, and its length: no other case says that
// something is over.
func (r *Result) onlyTimer(sel *ssa.Select) (*ssa.Call, time.Duration) {
	var timer *ssa.Call
	for _, s := range sel.States {
		switch made := timerOf(s.Chan); {
		case s.Dir != types.RecvOnly:
			continue
		case made != nil:
			timer = made
		case endsOnly(s.Chan.Type()), r.madeHere(s.Chan):
			return nil, 0 // released, or fed by a goroutine of this function, which may itself end with the context
		}
	}
	if timer == nil || len(sel.States) < 2 {
		return nil, 0
	}
	length, _ := r.lengths.Of(timer.Call.Args[0])
	return timer, length
}

// madeHere reports whether a channel is made by the function that receives from it.
func (r *Result) madeHere(ch ssa.Value) bool {
	if load, ok := ch.(*ssa.UnOp); ok {
		if a, ok := r.ctx.Variable(load.X).(*ssa.Alloc); ok {
			ch = r.ctx.StoredIn(a)
		}
	}
	if ct, ok := ch.(*ssa.ChangeType); ok {
		ch = ct.X
	}
	_, ok := ch.(*ssa.MakeChan)
	return ok
}

// timerOf returns the call of time.After or time.NewTimer that gives a channel, or nil.
func timerOf(ch ssa.Value) *ssa.Call {
	if load, ok := ch.(*ssa.UnOp); ok {
		if fa, ok := load.X.(*ssa.FieldAddr); ok {
			ch = fa.X // timer.C
		}
	}
	c, ok := ch.(*ssa.Call)
	if !ok || !calledIs(c, "time.After") && !calledIs(c, "time.NewTimer") {
		return nil
	}
	return c
}

func (r *Result) timerVerdict(made *ssa.Call, length time.Duration, reach []contexts.Carrier, fn *ssa.Function) Verdict {
	w := Wait{Name: "select", For: length, Src: made.Call.Pos(), In: fn}
	return r.verdict("fixedtimeout", "timer", w, w.Name, reach)
}

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
