package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
)

// A function that ends something and is handed a context is told how long that may take. That the component has been told to end by
// then, by its own cancel, is no reason to wait for it without a look at the context: what it works on may not listen.

// hasTime reports whether a function ends something, or is only called by what does, and is handed a context for that.
func (d *deaf) hasTime(fn *ssa.Function) bool {
	home := ssawalk.Outermost(fn)
	return typeset.ContextParam(home.Signature) >= 0 && d.r.flow.cleanupFunc(home)
}

// over reports whether a context or a stop signal has ended where an instruction runs: where there is time for the end, not by the cancel
// that tells the component.
func (d *deaf) over(in ssa.Instruction) bool {
	if d.hasTime(in.Parent()) {
		return d.r.flow.after(in, receivesEnd)
	}
	return d.r.flow.afterDone(in)
}

// stepOfEnd reports whether a function that does not itself end something by its name is a step of one that has time for the end.
func (d *deaf) stepOfEnd(fn *ssa.Function) bool {
	home := ssawalk.Outermost(fn)
	if ending(home.Name()) {
		return false // whoever calls it is told by its name
	}
	for _, s := range d.r.callers[home] {
		if _, plain := s.in.(*ssa.Call); plain && d.hasTime(s.fn) {
			return true
		}
	}
	return false
}

// inTime reports whether a call that waits is a step of ending something which has time for that, and the time is not seen to be over.
func (d *deaf) inTime(c ssa.CallInstruction) bool {
	_, plain := c.(*ssa.Call)
	return plain && d.hasTime(c.Parent()) && !ending(calleeName(c)) && !d.over(c)
}

// afterOrder reports whether a wait that has time for the end comes after a cancel: what is cancelled has been started.
func (d *deaf) afterOrder(w *channels.Wait) bool {
	return d.hasTime(w.Fn) && (d.r.flow.afterDone(w.Instr) || afterCancel(w.Instr) || d.orderedBefore(w.Fn))
}

// orderedBefore reports whether all that call a function have cancelled something before.
func (d *deaf) orderedBefore(fn *ssa.Function) bool {
	for _, s := range d.r.callers[fn] {
		if !d.r.flow.afterDone(s.in) && !afterCancel(s.in) {
			return false
		}
	}
	return len(d.r.callers[fn]) > 0
}

// hearsOrder reports whether a goroutine surely ends when it is told to: each of its waits lists an end, and all that it calls ends by a
// context or takes no time, as far as is known of everything.
func (d *deaf) hearsOrder(fn *ssa.Function) bool {
	if len(d.in[fn]) > 0 {
		return false
	}
	for call := range ssawalk.Calls(fn) {
		if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
			continue
		}
		targets, all := d.r.ctx.Targets(call.Common())
		if !all {
			return false // who knows what it runs
		}
		for _, t := range targets {
			if t.Fn != nil && d.touch[t.Fn] {
				return false
			}
		}
		for _, e := range d.r.effects(fn, call) {
			if e.End != ByParam {
				return false
			}
		}
	}
	return true
}
