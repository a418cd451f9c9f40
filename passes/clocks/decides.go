package clocks

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// decides reports whether something depends on how two readings compare: a branch, a pause, a timeout. A difference that is only
// logged, counted or stored moves with the clock too, and nobody waits for it.
func (p *program) decides(at ssa.Instruction) bool {
	diff := p.difference(at)
	return diff == nil || p.newFollower(false).follow(diff) // a comparison, or what is compared
}

// paces reports whether a pause or a timeout is as long as the difference of two readings.
func (p *program) paces(at ssa.Instruction) bool {
	diff := p.difference(at)
	return diff != nil && p.newFollower(true).follow(diff)
}

// difference returns the duration between two readings, or nil where they are compared.
func (p *program) difference(at ssa.Instruction) ssa.Value {
	switch at := at.(type) {
	case *ssa.BinOp:
		if at.Op == token.SUB {
			return at
		}
	case *ssa.Call:
		switch _, name := p.calls(at.Common()); name {
		case "(time.Time).Sub", "time.Since", "time.Until":
			return at
		}
	}
	return nil
}

// follower goes from a difference to where it is used.
type follower struct {
	p      *program
	seen   map[ssa.Value]bool
	fuel   int
	pauses bool // looks for pauses and timeouts only
}

func (p *program) newFollower(pauses bool) *follower {
	return &follower{p: p, seen: map[ssa.Value]bool{}, fuel: maxSteps, pauses: pauses}
}

func (f *follower) follow(v ssa.Value) bool {
	if f.fuel--; f.fuel < 0 || f.seen[v] || v.Referrers() == nil {
		return false
	}
	f.seen[v] = true
	for _, ref := range *v.Referrers() {
		if f.use(v, ref) {
			return true
		}
	}
	return false
}

func (f *follower) use(v ssa.Value, ref ssa.Instruction) bool {
	switch ref := ref.(type) {
	case *ssa.BinOp:
		switch ref.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			return !f.pauses
		}
		return f.follow(ref)
	case *ssa.Convert, *ssa.ChangeType, *ssa.Phi, *ssa.UnOp, *ssa.Extract:
		return f.follow(ref.(ssa.Value))
	case *ssa.Store:
		if local, ok := f.p.ctx.Variable(ref.Addr).(*ssa.Alloc); ok && ref.Val == v {
			return f.follow(local)
		}
	case *ssa.Return:
		for _, c := range f.p.callers[ref.Parent()] {
			if f.follow(c) {
				return true
			}
		}
	case *ssa.Call:
		return f.call(v, ref)
	}
	return false
}

// call follows a difference into a function: of package time by what it is for, of ours into its parameter.
func (f *follower) call(v ssa.Value, c *ssa.Call) bool {
	if _, ok := c.Call.Value.(*ssa.Builtin); ok {
		return f.follow(c) // min, max
	}
	t, name := f.p.calls(c.Common())
	switch {
	case strings.HasPrefix(name, "(time.Duration)."), name == "(time.Time).Add":
		return f.follow(c)
	case strings.HasPrefix(name, "time."), strings.HasPrefix(name, "(*time."), strings.HasPrefix(name, "context."):
		return true // sleeps, timers, timeouts
	case t.Fn != nil:
		return f.parameter(v, t)
	}
	return false
}

func (f *follower) parameter(v ssa.Value, t contexts.Target) bool {
	for i, arg := range t.Args {
		if arg == v && i < len(t.Fn.Params) && f.follow(t.Fn.Params[i]) {
			return true
		}
	}
	return false
}

// addCaller notes a call of fn, whose result goes on there.
func (p *program) addCaller(c ssa.CallInstruction, fn *ssa.Function) {
	if call, ok := c.(*ssa.Call); ok {
		p.callers[ssawalk.Declared(fn)] = append(p.callers[ssawalk.Declared(fn)], call)
	}
}
