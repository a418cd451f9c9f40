package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
)

// membersEnd reports whether a wait group's members are known and each ends.
func (d *deaf) membersEnd(w *channels.Wait) bool {
	c := w.On().Chan
	if c == nil {
		return false
	}
	found := false
	for _, op := range c.Ops {
		if op.Kind != channels.Done {
			continue
		}
		members := d.members(op)
		found = found || len(members) > 0
		for _, m := range members {
			if m == outer(w.Fn, m) {
				continue // the function that waits, on the way out
			}
			if l := channels.LoopOf(op.Instr.Block()); l != nil && m == op.Fn {
				if !d.roundEnds(op, l, c) {
					return false
				}
				continue // a member for each item, not for the goroutine
			}
			if !d.ends(runner{fn: m, over: d.closedBy(w)}, c) || d.hasTime(w.Fn) && d.mayLast(m, 0) {
				return false
			}
		}
	}
	return found
}

// mayLast reports whether a member calls something out of sight that can fail and is given no context, itself or in what it runs: where
// nobody waits in a hurry it is taken to end, but a function that is told by a context how long the end of things may take cannot.
func (d *deaf) mayLast(fn *ssa.Function, depth int) bool {
	for call := range ssawalk.Calls(fn) {
		common := call.Common()
		if _, isGo := call.(*ssa.Go); isGo || depth >= maxClimb || typeset.ContextParam(common.Signature()) >= 0 {
			continue // another member, or nobody's; too far to tell; it may end by that
		}
		fails := common.StaticCallee() == nil && typeset.ReturnsError(common.Signature())
		targets, all := d.r.ctx.Targets(common)
		if len(targets) == 0 {
			targets, all = d.ops.Passed(call)
		}
		if fails && (len(targets) == 0 || !all) {
			return true
		}
		for _, t := range targets {
			if t.Fn != nil && t.Fn != fn && len(t.Fn.Blocks) > 0 && d.mayLast(t.Fn, depth+1) {
				return true
			}
			if _, known := d.r.ctx.Row(t.Obj); fails && t.Fn == nil && !known {
				return true
			}
		}
	}
	return false
}

// closedBy returns the channels that the function of a wait has closed before it.
func (d *deaf) closedBy(w *channels.Wait) []*channels.Chan {
	var out []*channels.Chan
	for _, c := range d.ops.Chans(w.Fn) {
		for _, op := range c.Ops {
			if op.Kind == channels.Close && op.Fn == w.Fn && !op.Deferred() && ssawalk.Before(op.Instr, w.Instr) {
				out = append(out, c)
			}
		}
	}
	return out
}

// roundEnds reports whether one round of a loop that calls Done by op waits only for what ends, once it has its item.
func (d *deaf) roundEnds(op *channels.Op, l *channels.Loop, c *channels.Chan) bool {
	for _, w := range d.in[op.Fn] {
		takes := w.Kind == channels.Range || (w.Kind == channels.Receive || w.Kind == channels.Select) && ssawalk.Before(w.Instr, op.Instr)
		if l.Blocks[w.Instr.Block()] && !takes && d.lasts(w, c) {
			return false
		}
	}
	for call := range ssawalk.Calls(op.Fn) {
		if _, isGo := call.(*ssa.Go); isGo || !l.Blocks[call.Block()] {
			continue
		}
		if !d.outsideEnds(op.Fn, call) || len(d.r.reach(op.Fn)) == 0 && !d.callEnds(runner{fn: op.Fn}, call, c, make(map[*ssa.Function]bool)) {
			return false
		}
	}
	return true
}

// members returns the goroutines that call Done by op.
func (d *deaf) members(op *channels.Op) []*ssa.Function {
	call, ok := op.Instr.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	if calleeName(call) != "Go" {
		return d.goroutines(op.Fn, 0)
	}
	var out []*ssa.Function
	for _, t := range d.r.ctx.Funcs(call.Common().Args[1]) {
		if t.Fn != nil {
			out = append(out, t.Fn)
		}
	}
	return out
}

// goroutines returns the functions that are started and in which fn runs; fn itself, when it is handed to something that runs
// it, nobody sees when.
func (d *deaf) goroutines(fn *ssa.Function, depth int) []*ssa.Function {
	var out []*ssa.Function
	if d.givenWithContext(fn) || fn.Parent() != nil && len(d.r.callers[fn]) == 0 {
		return []*ssa.Function{fn}
	}
	for _, s := range d.r.callers[fn] {
		switch {
		case d.spawns(s), d.handsOut(s, fn):
			return []*ssa.Function{fn}
		case depth < maxClimb && s.fn != fn:
			out = append(out, d.goroutines(s.fn, depth+1)...)
		}
	}
	return out
}

// handsOut reports whether a call gives a function to one out of sight.
func (d *deaf) handsOut(s site, fn *ssa.Function) bool {
	targets, all := d.r.ctx.Targets(s.in.Common())
	for _, t := range targets {
		if t.Fn != nil {
			return false
		}
	}
	for _, a := range s.in.Common().Args {
		for _, t := range d.r.ctx.Funcs(a) {
			if t.Fn == fn {
				return !all || len(targets) > 0
			}
		}
	}
	return false
}
