package summaries

import (
	"go/token"
	"go/types"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// judgeTimers judges the selects of fn that only a timer ends, where a carrier is in reach:
//
//	select {
//	case v := <-results:
//	case <-time.After(30 * time.Second):
//	}
func (r *Result) judgeTimers(c *court, fn *ssa.Function) {
	reach := r.reach(fn)
	if len(reach) == 0 {
		return // nothing to inherit: its callers are judged
	}
	for _, w := range r.timedWaits(fn) {
		v := r.verdict("fixedtimeout", "timer", w, w.Name, reach)
		if _, isCall := r.calls[w.Src]; !isCall {
			v.End = w.Src + token.Pos(len("select"))
		}
		c.add(v)
	}
}

// timed is what a select that only a timer ends is called.
const timed = "select"

// timedWaits returns the selects of fn that only a timer ends, as waits with a bound of their own.
func (r *Result) timedWaits(fn *ssa.Function) []Wait {
	if r.flow.loose(fn) || r.flow.cleanupFunc(fn) || r.entries.TestHelper() {
		return nil // a goroutine of its own, a clean-up, a test
	}
	var out []Wait
	for in := range ssawalk.Instrs(fn) {
		sel, ok := in.(*ssa.Select)
		if !ok || !sel.Blocking || inLoop(sel.Block()) || r.flow.afterDone(sel) {
			continue // with a default it does not wait; a loop takes items; nothing is left to inherit
		}
		if made, length := r.onlyTimer(sel); made != nil {
			w := Wait{End: ByNothing, Name: timed, For: length, Src: made.Call.Pos(), In: fn}
			if calledIs(made, "time.NewTimer") {
				w.Src = sel.Pos() // the timer is made before, and the select lacks the case
			}
			w.Own, w.Known = true, true
			out = append(out, w)
		}
	}
	return out
}

// timedBelow returns the selects of fn as waits of its callers: those on channels that are not the callers' own.
func (r *Result) timedBelow(fn *ssa.Function) []Wait {
	if len(r.reach(fn)) > 0 || r.ir.InTest(fn) {
		return nil // judged here; a test feeds nobody
	}
	for _, p := range fn.Params {
		if isChan(p.Type()) {
			return nil // whoever gives the channel may feed it from what listens
		}
	}
	return r.timedWaits(fn)
}

// onlyTimer returns the call that makes the timer which alone ends a select, and its length: no other case says that
// something is over. A channel of struct{} may say so; it is the event waited for where the timer's arm gives up and its own
// goes on.
func (r *Result) onlyTimer(sel *ssa.Select) (*ssa.Call, time.Duration) {
	var timer *ssa.Call
	at, bare := 0, []int(nil)
	for i, s := range sel.States {
		switch made := timerOf(s.Chan); {
		case s.Dir != types.RecvOnly:
			continue
		case made != nil:
			timer, at = made, i
		case isDone(s.Chan), isSignal(s.Chan), r.fedHere(s.Chan):
			return nil, 0 // released, or fed by a goroutine of this function, which may itself end with the context
		case endsOnly(s.Chan.Type()):
			bare = append(bare, i)
		}
	}
	if timer == nil || len(sel.States) < 2 {
		return nil, 0
	}
	if len(bare) > 0 && (!givesUp(sel, at) || !slices.ContainsFunc(bare, func(i int) bool { return !givesUp(sel, i) })) {
		return nil, 0 // a pause that a stop cuts short, or an end beside the timer
	}
	length, _ := r.lengths.Of(timer.Call.Args[0])
	return timer, length
}

// givesUp reports whether an arm of a select returns an error, or answers a request with one.
func givesUp(sel *ssa.Select, state int) bool {
	b := ssawalk.Arm(sel, state)
	for range 4 {
		if b == nil {
			return false
		}
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Call:
				if calledIs(in, "net/http.Error") {
					return true
				}
			case *ssa.Return:
				return returnsError(in)
			}
		}
		if len(b.Succs) != 1 || len(b.Succs[0].Preds) != 1 && !onlyReturns(b.Succs[0]) {
			return false // it goes on with the rest
		}
		b = b.Succs[0]
	}
	return false
}

// onlyReturns reports whether a block does nothing but return.
func onlyReturns(b *ssa.BasicBlock) bool {
	_, ok := b.Instrs[0].(*ssa.Return)
	return ok
}

// returnsError reports whether a return hands out an error that is not the constant nil.
func returnsError(ret *ssa.Return) bool {
	if !typeset.ReturnsError(ret.Parent().Signature) {
		return false
	}
	c, ok := ret.Results[len(ret.Results)-1].(*ssa.Const)
	return !ok || !c.IsNil()
}

// fedHere reports whether a channel is made by the function that receives from it, and may be fed by what that runs: not one that it
// only enters where others look for it, in a map of calls that wait for a reply.
func (r *Result) fedHere(ch ssa.Value) bool {
	if load, ok := ch.(*ssa.UnOp); ok {
		if a, ok := r.ctx.Variable(load.X).(*ssa.Alloc); ok {
			ch = r.ctx.StoredIn(a)
		}
	}
	if ct, ok := ch.(*ssa.ChangeType); ok {
		ch = ct.X
	}
	made, ok := ch.(*ssa.MakeChan)
	return ok && !entered(made)
}

// entered reports whether a channel is put into a map, and else only received from.
func entered(ch *ssa.MakeChan) bool {
	found := false
	for _, ref := range *ch.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MapUpdate:
			found = found || ref.Value == ssa.Value(ch)
		case *ssa.Select, *ssa.UnOp, *ssa.DebugRef:
		default:
			return false // a literal or a call that may feed it
		}
	}
	return found
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
