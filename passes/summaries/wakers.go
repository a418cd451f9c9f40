package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
)

// closedUnderContext reports whether a component's channel is closed below something that looks at a context: one way by which
// the end of a context releases the wait is enough. A channel that the waiting function makes is looked at more closely.
func (d *deaf) closedUnderContext(w *channels.Wait, c *channels.Chan) bool {
	if c.Local(ssawalk.Outermost(w.Fn)) {
		return false
	}
	for _, op := range c.Ops {
		if op.Kind == channels.Close && d.belowContext(op.Fn, make(map[*ssa.Function]bool)) {
			return true
		}
	}
	return false
}

// belowContext reports whether fn, or a function that calls it, looks at the end of a context.
func (d *deaf) belowContext(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	for c := range ssawalk.Calls(fn) {
		if asksEnd(c) {
			return true
		}
	}
	for _, s := range d.r.callers[fn] {
		if s.fn != fn && (d.r.flow.afterDone(s.in) || d.belowContext(s.fn, seen)) {
			return true
		}
	}
	return false
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
	if !ok {
		return false
	}
	for _, ref := range *mc.Referrers() {
		if c, ok := ref.(ssa.CallInstruction); ok && calledIs(c, "context.AfterFunc") {
			return true
		}
	}
	return false
}
