package budgets

import (
	"go/token"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// cap is a context with a timeout, where it is made.
type cap struct {
	call   *ssa.Call
	parent ssa.Value
	limit  ssa.Value // what says how long, nil for an instant
	length time.Duration
	known  bool
}

// chain is how a context came about in its function: caps from the innermost out, and what the outermost was put on.
type chain struct {
	caps []cap
	base ssa.Value
}

func (c chain) has(call *ssa.Call) bool {
	for _, x := range c.caps {
		if x.call == call {
			return true
		}
	}
	return false
}

// maxChain bounds the walk from a context to its base.
const maxChain = 20

// chainOf follows a context, or a request made with one, to its base. Where paths meet that bring different contexts, it ends.
func (p *program) chainOf(v ssa.Value) chain {
	var out chain
	for range maxChain {
		v = latest(v)
		out.base = v
		c := callBehind(v)
		if c == nil {
			return out
		}
		targets, _ := p.ctx.Targets(&c.Call)
		if len(targets) != 1 {
			return out
		}
		row, ok := p.ctx.Row(targets[0].Obj)
		if !ok || row.Verb != knowledge.Derives && row.Verb != knowledge.Binds || !row.Ctx.IsSet() {
			return out
		}
		parent := targets[0].At(row.Ctx)
		if parent == nil || row.Ctx.Sel != "" {
			return out
		}
		if cp, ok := p.capOf(c, targets[0], row); ok {
			cp.parent = parent
			out.caps = append(out.caps, cp)
		}
		v = parent
	}
	return out
}

// latest is ssawalk.Source that goes on through a variable which is given another value once, before it is read: a parameter that a
// function bounds for all that follows, ctx, cancel := context.WithTimeout(ctx, d), and lets a literal use.
func latest(v ssa.Value) ssa.Value {
	for range maxChain {
		v = ssawalk.Source(v)
		load, ok := v.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return v
		}
		st := lastStore(load)
		if st == nil {
			return v
		}
		v = st.Val
	}
	return v
}

// lastStore returns the store to a local variable that is surely the last before it is read, or nil.
func lastStore(load *ssa.UnOp) *ssa.Store {
	a := ssawalk.Variable(load.X)
	if a == nil {
		return nil
	}
	var at ssa.Instruction = load
	for at.Parent() != a.Parent() { // read in a literal: no later than that is made
		made := ssawalk.Closures(at.Parent())
		if len(made) != 1 {
			return nil
		}
		at = made[0]
	}
	stores := ssawalk.Stores(a)
	for _, st := range stores {
		if st.Parent() != a.Parent() || !ssawalk.Before(st, at) {
			return nil // changed in a literal, or perhaps later
		}
	}
	for _, st := range stores {
		if !slices.ContainsFunc(stores, func(o *ssa.Store) bool { return o != st && !ssawalk.Before(o, st) }) {
			return st
		}
	}
	return nil
}

// callBehind returns the call whose first result v is, or nil.
func callBehind(v ssa.Value) *ssa.Call {
	switch v := v.(type) {
	case *ssa.Call:
		return v
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok && v.Index == 0 {
			return c
		}
	}
	return nil
}

// capOf returns the cap that a call puts on a context.
func (p *program) capOf(c *ssa.Call, t contexts.Target, row knowledge.Row) (cap, bool) {
	out := cap{call: c}
	switch {
	case row.Within.IsSet():
		out.limit = t.At(row.Within)
		out.length, out.known = p.lengths.Of(out.limit)
	case row.Until.IsSet():
		out.length, out.known = p.fromNow(t.At(row.Until))
	default:
		return cap{}, false
	}
	return out, true
}

// fromNow returns the length of time.Now().Add(d).
func (p *program) fromNow(v ssa.Value) (time.Duration, bool) {
	add, ok := ssawalk.Source(v).(*ssa.Call)
	if !ok || ssawalk.CalleeName(add) != "(time.Time).Add" {
		return 0, false
	}
	s := ssawalk.Resolve(add)
	now, ok := ssawalk.Source(s.Recv).(*ssa.Call)
	if !ok || ssawalk.CalleeName(now) != "time.Now" {
		return 0, false
	}
	return p.lengths.Of(s.Arg(0))
}

// use is a call that takes time under a context.
type use struct {
	call  ssa.CallInstruction
	name  string
	under chain
	time  span
	each  time.Duration // see paramTime
	pages string
	tries tries // see paramTime
}

// uses returns the calls of fn that take time under a context, deferred ones and goroutines left out.
func (p *program) uses(fn *ssa.Function) []use {
	var out []use
	for c := range ssawalk.Calls(fn) {
		call, ok := c.(*ssa.Call)
		if !ok {
			continue
		}
		if t, ok := callback(call); ok {
			out = append(out, p.usesOf(call, t)...)
		}
		for _, t := range p.targetsOf(call) {
			if givesSequence(call.Call.Signature()) && !ranged(call) {
				continue
			}
			for i, a := range t.Args {
				if a == nil || !carries(a.Type()) {
					continue
				}
				if d := p.takes(t, i); !d.Time.zero() {
					out = append(out, use{call, p.name(call, t), p.chainOf(a), d.Time, d.Each, d.Pages, p.given(d.Tries, t.Args)})
				}
			}
		}
	}
	return out
}

// usesOf is a call of a function that was handed in, under a cap that is put on it here.
func (p *program) usesOf(call *ssa.Call, t contexts.Target) []use {
	var out []use
	for _, a := range t.Args {
		if !carries(a.Type()) {
			continue
		}
		if under := p.chainOf(a); len(under.caps) > 0 {
			out = append(out, use{call: call, name: p.name(call, t), under: under, time: unknownSpan})
		}
	}
	return out
}

func (p *program) targetsOf(call *ssa.Call) []contexts.Target {
	targets, _ := p.ctx.Targets(&call.Call)
	if len(targets) != 1 {
		return nil // a function value that cannot be told
	}
	return targets
}

func (p *program) name(call *ssa.Call, t contexts.Target) string {
	if t.Obj == nil {
		return "the function"
	}
	return contexts.DisplayName(t.Obj)
}
