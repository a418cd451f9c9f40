package loops

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
)

// Step is a call in the package whose callee has its body there too: one that is run at once, or, of a goroutine or a timer, later.
type Step struct {
	At    ssa.CallInstruction
	To    *ssa.Function
	later bool
}

// Over returns a function as a round of a ring.
func Over(fn *ssa.Function) *Loop {
	l := &Loop{Fn: fn, blocks: make(map[*ssa.BasicBlock]bool, len(fn.Blocks))}
	for _, b := range fn.Blocks {
		l.blocks[b] = true
	}
	return l
}

// ring returns the function of an instruction as a loop when, after the instruction, it calls what calls it again.
func (r *Result) ring(in ssa.Instruction) *Loop {
	for _, c := range r.callees(in.Parent()) {
		if c.later || !follows(in, c.At) {
			continue
		}
		if l := r.round(c, false); l != nil {
			return l
		}
	}
	return nil
}

// Later returns the ring that goes round through a call which has a function run when some time has passed: that comes to the call again.
// Nil when it does not.
func (r *Result) Later(at ssa.CallInstruction) *Loop {
	for _, c := range r.callees(at.Parent()) {
		if c.later && c.At == at {
			if l := r.round(c, true); l != nil {
				return l
			}
		}
	}
	return nil
}

// Restarts returns the ring that goes round after an instruction, where some of its calls may be run later: a goroutine that, before it
// ends, calls what starts it again. Nil when there is none.
func (r *Result) Restarts(in ssa.Instruction) *Loop {
	for _, c := range r.callees(in.Parent()) {
		if !follows(in, c.At) || c.At == in {
			continue
		}
		if l := r.round(c, true); l != nil {
			return l
		}
	}
	return nil
}

// round returns the ring that begins with a step, or nil.
func (r *Result) round(first Step, later bool) *Loop {
	steps, ok := r.leads(first.To, first.At.Parent(), later, make(map[*ssa.Function]bool))
	if !ok {
		return nil
	}
	l := Over(first.At.Parent())
	l.Steps = append([]Step{first}, steps...)
	return l
}

// callees returns the calls of fn whose callee is certain and has its body in the package.
func (r *Result) callees(fn *ssa.Function) []Step {
	if cs, ok := r.calls[fn]; ok {
		return cs
	}
	var out []Step
	for c := range ssawalk.Calls(fn) {
		switch c.(type) {
		case *ssa.Call:
			out = append(out, r.timed(c)...)
		case *ssa.Defer:
			continue // it runs when all is over
		}
		to := c.Common().StaticCallee()
		if to != nil && to.Origin() != nil {
			to = to.Origin() // a generic function calls instances of itself
		}
		if to == nil {
			to = r.only(c)
		}
		if own(fn, to) {
			_, later := c.(*ssa.Go)
			out = append(out, Step{c, to, later})
		}
	}
	r.calls[fn] = out
	return out
}

// only returns the one function that a call of a function value runs, or nil: a literal that calls itself by its variable.
func (r *Result) only(c ssa.CallInstruction) *ssa.Function {
	if c.Common().IsInvoke() {
		return nil
	}
	if targets, all := r.ctx.Targets(c.Common()); all && len(targets) == 1 {
		return targets[0].Fn
	}
	return nil
}

func own(fn, to *ssa.Function) bool {
	return to != nil && to.Pkg == fn.Pkg && len(to.Blocks) > 0
}

// timed returns what a call has run when some time has passed, as time.AfterFunc does.
func (r *Result) timed(c ssa.CallInstruction) []Step {
	targets, _ := r.ctx.Targets(c.Common())
	var out []Step
	for _, t := range targets {
		row, ok := r.ctx.Row(t.Obj)
		if !ok || row.Verb != knowledge.Spawns || !row.For.IsSet() || !row.Func.IsSet() || t.At(row.Func) == nil {
			continue
		}
		for _, f := range r.ctx.Funcs(t.At(row.Func)) {
			if own(c.Parent(), f.Fn) {
				out = append(out, Step{c, f.Fn, true})
			}
		}
	}
	return out
}

// leads returns the calls by which a function comes to another; none when it is that. Only where it is asked for, some of them may be
// run later: by a timer, or in a goroutine.
func (r *Result) leads(from, to *ssa.Function, later bool, seen map[*ssa.Function]bool) ([]Step, bool) {
	if from == to {
		return nil, true
	}
	if seen[from] {
		return nil, false
	}
	seen[from] = true
	for _, c := range r.callees(from) {
		if c.later && !later {
			continue // it begins something else
		}
		if steps, ok := r.leads(c.To, to, later, seen); ok {
			return append([]Step{c}, steps...), true
		}
	}
	return nil, false
}
