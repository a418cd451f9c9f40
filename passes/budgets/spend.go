package budgets

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// billOf returns what fn surely may take by its own caps. Recursion adds nothing.
func (p *program) billOf(fn *ssa.Function) bill {
	if b, ok := p.bills[fn]; ok {
		return b
	}
	p.bills[fn] = bill{}
	if len(fn.Blocks) == 0 {
		return bill{}
	}
	s := &spending{p: p, fn: fn, under: map[ssa.CallInstruction]use{}, caps: map[*ssa.Call]*capped{}, weights: map[*ssa.BasicBlock]bill{}}
	b := s.total()
	p.bills[fn] = b
	return b
}

// spending adds up one function.
type spending struct {
	p       *program
	fn      *ssa.Function
	under   map[ssa.CallInstruction]use // calls that take time under a context
	caps    map[*ssa.Call]*capped
	order   []*capped
	weights map[*ssa.BasicBlock]bill
}

// capped is a cap of the function and what runs under it.
type capped struct {
	cap
	outer   *ssa.Call // the cap that it is put on, or nil
	open    bool      // something under it takes as long as it likes
	weights map[*ssa.BasicBlock]bill
}

func (s *spending) total() bill {
	for _, u := range s.p.uses(s.fn) {
		if old, ok := s.under[u.call]; !ok || len(old.under.caps) < len(u.under.caps) {
			s.under[u.call] = u
		}
	}
	for in := range ssawalk.Instrs(s.fn) {
		switch in := in.(type) {
		case *ssa.Call:
			s.call(in)
		case *ssa.Defer:
			s.add(s.weights, in.Block(), s.p.cost(s.fn, in))
		case *ssa.UnOp:
			s.add(s.weights, in.Block(), s.p.timer(in))
		}
	}
	s.beside()
	for i := len(s.order) - 1; i >= 0; i-- { // a cap comes after those that it is put on
		s.close(s.order[i])
	}
	if len(s.weights) == 0 {
		return bill{}
	}
	return longest(s.fn, s.p.loopsOf(s.fn), s.weights)
}

func (s *spending) add(to map[*ssa.BasicBlock]bill, b *ssa.BasicBlock, cost bill) {
	if !cost.zero() {
		to[b] = to[b].plus(cost)
	}
}

// call enters a call under the innermost cap around it.
func (s *spending) call(c *ssa.Call) {
	cost := s.p.cost(s.fn, c)
	u, ok := s.under[c]
	if !ok {
		u.under = s.given(c)
	}
	inner := s.chain(u.under)
	if inner == nil {
		s.add(s.weights, c.Block(), cost)
		return
	}
	inner.open = inner.open || u.time.Open
	s.add(inner.weights, c.Block(), cost)
}

// given returns the chain of the context that a call is given, of which nothing else is known.
func (s *spending) given(c *ssa.Call) chain {
	for _, a := range c.Call.Args {
		if carries(a.Type()) {
			return s.p.chainOf(a)
		}
	}
	return chain{}
}

// chain enters the caps of the function in a chain, outer ones first, and returns the innermost, or nil.
func (s *spending) chain(ch chain) *capped {
	var outer *ssa.Call
	var inner *capped
	for i := len(ch.caps) - 1; i >= 0; i-- {
		c := ch.caps[i]
		if c.call.Parent() != s.fn {
			continue // of the function around a literal, which counts it
		}
		if s.caps[c.call] == nil {
			s.caps[c.call] = &capped{cap: c, outer: outer, weights: map[*ssa.BasicBlock]bill{}}
			s.order = append(s.order, s.caps[c.call])
		}
		inner, outer = s.caps[c.call], c.call
	}
	return inner
}

// close puts what a cap costs where it is made.
func (s *spending) close(c *capped) {
	var cost bill
	if len(c.weights) > 0 {
		cost = longest(s.fn, s.p.loopsOf(s.fn), c.weights)
	}
	switch {
	case !c.known || c.length <= 0:
		// as long as what is known under it
	case c.open:
		end := cost.Endless
		cost = one(c.call.Pos(), "timeout", c.length)
		cost.Endless = end
	default:
		cost = cost.within(c.length, c.call.Pos())
	}
	to := s.weights
	if c.outer != nil {
		to = s.caps[c.outer].weights
	}
	s.add(to, c.call.Block(), cost)
}

// timer is a bare receive from time.After.
func (p *program) timer(v *ssa.UnOp) bill {
	c, ok := v.X.(*ssa.Call)
	if v.Op != token.ARROW || !ok || ssawalk.CalleeName(c) != "time.After" {
		return bill{}
	}
	d, _ := p.lengths.Of(c.Call.Args[0])
	return one(c.Pos(), "sleep", d)
}

// cost is what a call takes by its own caps: of an own function its bill, of what the tables know its sleep or its own bound.
func (p *program) cost(fn *ssa.Function, c ssa.CallInstruction) bill {
	targets, _ := p.ctx.Targets(c.Common())
	if len(targets) != 1 {
		return bill{}
	}
	t, pos := targets[0], c.Common().Pos()
	if row, ok := p.ctx.Row(t.Obj); ok {
		return p.costOfRow(fn, c, t, row)
	}
	if t.Fn != nil {
		return p.billOf(t.Fn)
	}
	if t.Obj != nil && t.Obj.Pkg() != p.pass.Pkg {
		f := new(costs)
		if p.pass.ImportObjectFact(t.Obj, f) {
			return f.bill().in(contexts.DisplayName(t.Obj), pos)
		}
	}
	return bill{}
}

func (p *program) costOfRow(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target, row knowledge.Row) bill {
	pos := c.Common().Pos()
	switch row.Verb {
	case knowledge.Sleeps:
		d, _ := p.lengths.Of(t.At(row.For))
		return one(pos, "sleep", d)
	case knowledge.Calls:
		if f, _ := ssawalk.Function(t.At(row.Func)); f != nil {
			return p.billOf(f) // once at least
		}
	case knowledge.Waits:
		var out bill
		for _, w := range p.sums.Apart(fn, c) {
			switch {
			case w.Endless:
				out.Endless = &item{Pos: pos, Text: w.Name}
			default:
				out = out.plus(one(pos, w.Name, w.For))
			}
		}
		return out
	}
	return bill{}
}
