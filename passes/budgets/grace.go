package budgets

import (
	"go/token"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// ending matches the names of functions that end something, and have a grace for it.
var ending = regexp.MustCompile(`(?i)shutdown|stop|close|drain|terminate|teardown`)

// phase is one part of a shutdown: a call that caps itself, or a cap of its own in the function and all that runs under it.
type phase struct {
	at    *ssa.BasicBlock
	pos   token.Pos
	name  string
	time  span
	inner *ssa.Call // its cap in the function, or nil
}

// grace adds up the steps of a shutdown, one after the other, that cap themselves.
func (p *program) grace(fn *ssa.Function, c cap, uses []use) (Misfit, bool) {
	m := Misfit{Kind: "grace", At: c.call.Pos(), Limit: c.length}
	if !ending.MatchString(fn.Name()) {
		return m, false // sums of caps under a cap: the earlier deadline makes them fit
	}
	var last *ssa.BasicBlock
	for _, s := range p.phases(fn, c, uses) {
		if !s.time.known() || last != nil && s.at != last && !last.Dominates(s.at) || p.around(fn, s.at, c.call.Block()) != nil {
			return m, false // open, on a branch, or in a loop: no sum
		}
		last = s.at
		m.Total = sum(m.Total, s.time.For)
		m.Parts = append(m.Parts, Part{Pos: s.pos, Text: s.name + " takes " + s.time.String(), For: s.time.For})
	}
	return m, len(m.Parts) > 1 && m.Total > m.Limit
}

// phases returns what runs under a cap, in order; what has the same cap within it is one step.
func (p *program) phases(fn *ssa.Function, c cap, uses []use) []phase {
	var out []phase
	for _, u := range uses {
		i := slices.IndexFunc(u.under.caps, func(x cap) bool { return x.call == c.call })
		switch {
		case i < 0:
			continue // under another context
		case i == 0:
			out = append(out, phase{at: u.call.Block(), pos: u.call.Common().Pos(), name: u.name, time: u.time})
			continue
		}
		inner := u.under.caps[i-1]
		n := slices.IndexFunc(out, func(s phase) bool { return s.inner == inner.call })
		if n < 0 {
			out = append(out, phase{at: inner.call.Block(), pos: inner.call.Pos(), name: u.name, inner: inner.call})
			n = len(out) - 1
		}
		out[n].time = within(out[n].time.plus(u.time), inner, fn)
	}
	return out
}

// within is the time that something takes under a cap that its function makes.
func within(t span, c cap, fn *ssa.Function) span {
	switch {
	case !c.known || c.length <= 0 || c.call.Parent() != fn:
		return unknownSpan
	case t.known() && t.For < c.length:
		return t
	}
	return span{For: c.length}
}
