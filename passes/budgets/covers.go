package budgets

import (
	"go/token"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/durations"
)

// examine looks at every cap of fn and what runs under it.
func (p *program) examine(fn *ssa.Function) []Misfit {
	if p.entries.OneShot(fn) || p.entries.CommandLine() || p.entries.TestHelper() {
		return nil // a run that is meant to last until its limit
	}
	uses := p.uses(fn)
	found := map[token.Pos]bool{}
	var out []Misfit
	add := func(m Misfit, ok bool) {
		if ok && !found[m.At] {
			found[m.At] = true // one defect a cap: the first in the order of the checks
			out = append(out, m)
		}
	}
	for _, u := range uses {
		for i, c := range u.under.caps {
			if c.known && c.length > 0 && c.call.Parent() == fn {
				add(p.covered(fn, u, i))
			}
		}
	}
	for _, c := range capsOf(uses, fn) {
		add(p.shadowed(c, uses))
		add(p.grace(fn, c, uses))
	}
	return out
}

// capsOf returns the caps of known length that fn makes, in the order of their uses.
func capsOf(uses []use, fn *ssa.Function) []cap {
	var out []cap
	seen := map[*ssa.Call]bool{}
	for _, u := range uses {
		for _, c := range u.under.caps {
			if c.known && c.length > 0 && c.call.Parent() == fn && !seen[c.call] {
				seen[c.call] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// covered looks at one call under its i-th cap: what is repeated under it is the call, or the next cap within.
func (p *program) covered(fn *ssa.Function, u use, i int) (Misfit, bool) {
	limit := u.under.caps[i]
	each, at := u.time, u.call.Common().Pos()
	block := u.call.Block()
	if i > 0 {
		inner := u.under.caps[i-1]
		if !inner.known || inner.call.Parent() != fn {
			return Misfit{}, false
		}
		each, at, block = span{For: inner.length}, inner.call.Pos(), inner.call.Block()
	}
	m := Misfit{At: limit.call.Pos(), Limit: limit.length, Each: each.For, Name: u.name, Parts: []Part{{Pos: at, Text: each.String() + " each"}}}
	if i == 0 && u.pages != "" {
		m.Kind, m.Name, m.Parts = "pages", u.pages, []Part{{Pos: at, Text: "asks for all pages"}}
		return m, true
	}
	if i == 0 && u.each >= limit.length {
		m.Kind, m.Each, m.Parts = "loop", u.each, []Part{{Pos: at, Text: "repeats calls of up to " + durations.Text(u.each)}}
		return m, true
	}
	l := p.around(fn, block, limit.call.Block())
	switch {
	case l == nil && i == 0:
		return tried(m, u)
	case l == nil:
		return m, false // once: a child cap above its parent's does no harm
	case each.known():
		return p.repeated(m, l, u)
	case each.Open && p.paged(fn, u.call):
		m.Kind, m.Parts = "pages", []Part{{Pos: at, Text: "asks for the next page"}}
		return m, true
	case each.Open && l.given && l.count != 1 && p.goesOn(l, u.call):
		m.Kind, m.Count, m.Parts = "attempts", l.count, []Part{{Pos: at, Text: "the first may take all of it"}}
		return m, true
	}
	return m, false
}

// repeated looks at calls in a loop that cap themselves.
func (p *program) repeated(m Misfit, l *loop, u use) (Misfit, bool) {
	m.Count = l.count
	if m.Each >= m.Limit && l.count != 1 {
		m.Kind = "loop"
		m.Total = product(m.Each, l.count)
		return m, true
	}
	if l.count < 2 || !p.goesOn(l, u.call) {
		return m, false // a total limit around things that are all done once
	}
	pause, at := p.pause(l)
	m.Kind = "attempts"
	m.Pause = pause
	m.Total = sum(product(m.Each, l.count), product(pause, l.count-1))
	if pause > 0 {
		m.Parts = append(m.Parts, Part{Pos: at, Text: "and pauses"})
	}
	return m, m.Total > m.Limit
}

// around returns the innermost loop that runs b again under the cap made in outer, or nil.
func (p *program) around(fn *ssa.Function, b, outer *ssa.BasicBlock) *loop {
	for _, l := range p.loopsOf(fn) {
		if l.body[b] && !l.body[outer] {
			return l
		}
	}
	return nil
}

// pause returns the constant pause of a loop, and where it is.
func (p *program) pause(l *loop) (time.Duration, token.Pos) {
	v, at := p.pauseOf(l)
	d, _ := p.lengths.Of(v)
	return max(d, 0), at
}

// pauseOf returns how long a loop pauses, and where; one of constant length before others.
func (p *program) pauseOf(l *loop) (ssa.Value, token.Pos) {
	var length ssa.Value
	at := token.NoPos
	for _, b := range l.blocks() {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			switch ssawalk.CalleeName(c) {
			case "time.Sleep", "time.After", "time.NewTimer":
				if d, ok := p.lengths.Of(c.Call.Args[0]); ok && d > 0 {
					return c.Call.Args[0], c.Pos()
				}
				if length == nil {
					length, at = c.Call.Args[0], c.Pos()
				}
			}
		}
	}
	return length, at
}

// goesOn reports whether the loop runs on after the call has failed, and ends when it succeeds.
func (p *program) goesOn(l *loop, call ssa.CallInstruction) bool {
	for _, b := range l.blocks() {
		i, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || b != call.Block() && !call.Block().Dominates(b) {
			continue
		}
		cond, ok := i.Cond.(*ssa.BinOp)
		if !ok || !typeset.IsError(cond.X.Type()) {
			continue
		}
		if c, ok := cond.Y.(*ssa.Const); !ok || !c.IsNil() {
			continue
		}
		failed, fine := b.Succs[0], b.Succs[1]
		if cond.Op == token.EQL {
			failed, fine = fine, failed
		}
		if l.body[failed] && !l.body[fine] {
			return true
		}
	}
	return false
}
