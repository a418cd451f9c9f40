package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
)

// closedUnderContext reports whether a component's channel is closed below something that has looked at a context: one way by which
// the end of a context releases the wait is enough. A channel that the waiting function makes is looked at more closely.
func (d *deaf) closedUnderContext(w *channels.Wait, c *channels.Chan) bool {
	if c.Local(ssawalk.Outermost(w.Fn)) || ignoresContext(w.Fn) {
		return false // made here; whatever context that is, it is not the one that was given to wait by
	}
	for _, op := range c.Ops {
		if op.Kind == channels.Close && d.belowContext(op.Instr, make(map[*ssa.Function]bool)) {
			return true
		}
	}
	return false
}

// belowContext reports whether an instruction, or a call on the way to it, runs where the end of a context may have been seen in its
// own goroutine: after a look at it, or on the way out of a function that looks. Who looked before it started the goroutine does not
// end it.
func (d *deaf) belowContext(at ssa.Instruction, seen map[*ssa.Function]bool) bool {
	fn := at.Parent()
	if seen[fn] {
		return false
	}
	seen[fn] = true
	if d.looksBefore(at) {
		return true
	}
	for _, s := range d.r.callers[fn] {
		_, isGo := s.in.(*ssa.Go)
		if s.fn != fn && (d.r.flow.afterDone(s.in) || !isGo && d.belowContext(s.in, seen)) {
			return true
		}
	}
	return false
}

// looksBefore reports whether a function may have seen the end of a context when it comes to one of its instructions. Where it branches on
// what it saw, only the way of the end counts: what a loop does while its context lasts is not done when that is over.
func (d *deaf) looksBefore(at ssa.Instruction) bool {
	fn := at.Parent()
	_, onTheWayOut := at.(*ssa.Defer)
	looks := false
	for c := range ssawalk.Calls(fn) {
		looks = looks || asksEnd(c) && (onTheWayOut || ssawalk.MayFollow(c, at))
	}
	if !looks || onTheWayOut {
		return looks
	}
	branches := false
	for _, b := range fn.Blocks {
		for _, pred := range b.Preds {
			if d.r.overOn(pred, b) == nil {
				continue
			}
			if b == at.Block() || ssawalk.Reaches(b, at.Block()) {
				return true
			}
			branches = true
		}
	}
	return !branches
}

// asksEnd reports whether a call asks a context for its Done or its Err.
func asksEnd(c ssa.CallInstruction) bool {
	common := c.Common()
	if !common.IsInvoke() || !typeset.IsContext(common.Value.Type()) {
		return false
	}
	name := common.Method.Name()
	return name == "Done" || name == "Err"
}

// woken reports whether a condition variable is signalled when a context is over.
func (d *deaf) woken(w *channels.Wait) bool {
	c := w.On().Chan
	if c == nil {
		return false
	}
	for _, op := range c.Ops {
		if op.Kind == channels.Wake && (d.r.flow.afterDone(op.Instr) || givenToEnd(op.Instr)) {
			return true
		}
	}
	return false
}

// givenToEnd reports whether an instruction makes a method value that is called when a context is over.
func givenToEnd(in ssa.Instruction) bool {
	mc, ok := in.(*ssa.MakeClosure)
	return ok && givenTo(mc, "context.AfterFunc")
}
