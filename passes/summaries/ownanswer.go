package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
)

// A function that hands its context to the call which brings an answer about, and then waits for the answer on a channel of its own, has
// the context for the whole of it. The end of the component, which its select lists beside the answer, is not that of the call:
//
//	if err := n.propose(ctx, entry); err != nil {
//		return err
//	}
//	select {
//	case err := <-answer:
//		return err
//	case <-n.stopped:
//		return errStopped
//	}

// awaitsOwnAnswer reports whether a select waits once for what comes on a channel made for this call, after the function's own context
// was given to something that can fail.
func (d *deaf) awaitsOwnAnswer(w *channels.Wait) bool {
	if w.Fn.Parent() != nil || channels.LoopOf(w.Instr.Block()) != nil || !handsOwn(w.Instr) {
		return false // it runs later; it goes round for a component; it means the context for nothing before
	}
	for _, op := range w.Cases {
		if op.Kind == channels.Receive && !endsOnly(op.On.Type()) && d.madeForCall(op) {
			return true
		}
	}
	return false
}

// listedBesideDone reports whether the function of a select, or one that calls it, lists the same end of a component in another select
// beside the Done of a context: whoever wrote that knows that the two are not the same.
func (d *deaf) listedBesideDone(w *channels.Wait, end *channels.Op) bool {
	if end.Chan == nil || w.Fn.Parent() != nil || channels.LoopOf(w.Instr.Block()) != nil {
		return false // it cannot be told again; it runs later, or for a component
	}
	if d.listsDone(w.Fn, end.Chan) {
		return true
	}
	for _, s := range d.r.callers[w.Fn] {
		if d.listsDone(s.fn, end.Chan) {
			return true
		}
	}
	return false
}

// listsDone reports whether a select of fn has a case for the channel and one for the Done of a context.
func (d *deaf) listsDone(fn *ssa.Function, c *channels.Chan) bool {
	for _, w := range d.ops.Waits(fn) {
		beside, done := false, false
		for _, op := range w.Cases {
			beside = beside || op.Chan == c
			done = done || isDone(op.On)
		}
		if beside && done {
			return true
		}
	}
	return false
}

// madeForCall reports whether a channel is made anew by each call of the function that has it, itself or by what it calls.
func (d *deaf) madeForCall(op *channels.Op) bool {
	switch v := ssawalk.Source(op.On).(type) {
	case *ssa.MakeChan:
		return v.Parent() == op.Fn
	case *ssa.Call:
		maker := v.Call.StaticCallee()
		if maker == nil || len(maker.Blocks) == 0 {
			return false
		}
		for ret := range ssawalk.Returns(maker) {
			if made, ok := ssawalk.Source(ret.Results[0]).(*ssa.MakeChan); !ok || made.Parent() != maker {
				return false
			}
		}
		return true
	}
	return false
}

// handsOwn reports whether a function surely gives its own context parameter to a call that can fail, before an instruction.
func handsOwn(in ssa.Instruction) bool {
	for c := range ssawalk.Calls(in.Parent()) {
		call, ok := c.(*ssa.Call)
		if !ok || !typeset.ReturnsError(call.Call.Signature()) || !ssawalk.Before(call, in) {
			continue
		}
		for _, a := range call.Call.Args {
			p, ok := ssawalk.Source(a).(*ssa.Parameter)
			if ok && p.Parent() == in.Parent() && typeset.IsContext(p.Type()) {
				return true
			}
		}
	}
	return false
}
