package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
)

// A function that makes a channel for each call, hands it out and fills it from a loop whose rounds nobody has counted streams: a fixed
// buffer only puts off the time when its reader has left and the next send stays.

// streams reports whether a send goes to such a channel, in each round of such a loop.
func (d *deaf) streams(w *channels.Wait) bool {
	c := w.On().Chan
	if !c.Lent || c.Kept || c.Room() < 0 || !madeFor(c, ssawalk.Outermost(w.Fn)) {
		return false // who reads is in sight; a component's queue; as large as somebody knew; another function's
	}
	for _, m := range c.Makes {
		if !d.repeats(w.Instr, m, 0) {
			return false
		}
	}
	return true
}

// repeats reports whether an instruction, or what runs its function, stands in a loop that neither goes over what is there nor counts,
// and has one channel, which m makes, for all rounds.
func (d *deaf) repeats(at ssa.Instruction, m *ssa.MakeChan, depth int) bool {
	fn := at.Parent()
	if d.roundAndRound(at, m) {
		return true
	}
	if fn == m.Parent() || depth > maxClimb {
		return false
	}
	for _, in := range d.waysTo(fn) {
		if d.ranOften(in, fn, m) || in.Parent() != fn && d.repeats(in, m, depth+1) {
			return true
		}
	}
	return false
}

// roundAndRound reports whether an instruction stands in such a loop. One that tries again until it succeeds comes once to what it is for.
func (d *deaf) roundAndRound(at ssa.Instruction, m *ssa.MakeChan) bool {
	for _, l := range d.r.loops.In(at.Parent()) {
		each := at.Parent() == m.Parent() && l.Has(m.Block())
		if l.Has(at.Block()) && !each && !l.Collection() && !l.Counted() && !l.LeavesOnSuccess() {
			return true
		}
	}
	return false
}

// ranOften reports whether the function that a call gives fn to runs it in such a loop. One that answers by a bool may be asked whether it
// has come to its end.
func (d *deaf) ranOften(in ssa.Instruction, fn *ssa.Function, m *ssa.MakeChan) bool {
	results := fn.Signature.Results()
	if results.Len() > 1 || results.Len() == 1 && !typeset.ReturnsError(fn.Signature) {
		return false
	}
	for _, by := range d.ranBy(in, fn) {
		if d.roundAndRound(by, m) {
			return true
		}
	}
	return false
}

// ranBy returns the calls by which the function that a call gives fn to runs it.
func (d *deaf) ranBy(in ssa.Instruction, fn *ssa.Function) []ssa.Instruction {
	call, ok := ssawalk.AsCall(in)
	if !ok {
		return nil // where it is made: who runs it cannot be told
	}
	var out []ssa.Instruction
	targets, _ := d.r.ctx.Targets(call.Common())
	for _, t := range targets {
		if t.Fn == nil {
			continue
		}
		for c := range ssawalk.Calls(t.Fn) {
			p, ok := ssawalk.Source(c.Common().Value).(*ssa.Parameter)
			if i := paramIndex(t.Fn, p); ok && i >= 0 && i < len(t.Args) && d.mayBe(t.Args[i], fn) {
				out = append(out, c)
			}
		}
	}
	return out
}

func (d *deaf) mayBe(v ssa.Value, fn *ssa.Function) bool {
	for _, t := range d.r.ctx.Funcs(v) {
		if t.Fn == fn {
			return true
		}
	}
	return false
}
