package budgets

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// takes returns how long a function takes under the context given as its i-th argument.
func (p *program) takes(t contexts.Target, i int) paramTime {
	open := paramTime{Time: openSpan}
	if row, ok := p.ctx.Row(t.Obj); ok {
		if row.Verb == knowledge.Waits && !row.Meant && !row.Local {
			return open
		}
		return paramTime{} // derives, binds, or takes no time
	}
	if t.Fn != nil {
		if i >= len(t.Fn.Params) {
			return paramTime{}
		}
		return p.under(t.Fn.Params[i])
	}
	if f := p.fact(t.Obj); f != nil {
		for _, pt := range f.Params {
			if pt.Param == i {
				return pt
			}
		}
		return paramTime{}
	}
	if t.Obj != nil && contexts.Operation(t.Obj) {
		return open
	}
	if t.Obj != nil && typeset.IsInterfaceMethod(t.Obj) && typeset.ReturnsError(t.Sig) {
		return open // an interface with a context and an error: taken to wait, as everywhere
	}
	return paramTime{} // not known to wait
}

// under returns how long the function of a parameter takes under it.
func (p *program) under(param *ssa.Parameter) paramTime {
	if t, ok := p.times[param]; ok {
		return t
	}
	if p.open[param] {
		return paramTime{Time: openSpan} // recursion
	}
	p.open[param] = true
	t := p.compute(param)
	delete(p.open, param)
	p.times[param] = t
	return t
}

func (p *program) compute(param *ssa.Parameter) paramTime {
	fn := param.Parent()
	var out paramTime
	weights := map[*ssa.BasicBlock]span{}
	counted := map[*ssa.Call]bool{}
	for _, u := range p.uses(fn) {
		if u.under.base != param {
			continue
		}
		if out.Tries == (tries{}) {
			out.Tries = p.triesUnder(fn, u)
		}
		block, d := u.call.Block(), u.time
		if n := len(u.under.caps); n > 0 { // the outermost cap counts, once, from where it is made
			outer := u.under.caps[n-1]
			if counted[outer.call] {
				continue
			}
			counted[outer.call] = true
			block, d = outer.call.Block(), unknownSpan
			if outer.known {
				d = span{For: max(outer.length, 0)}
			}
		} else {
			out.Pages = p.pagesOf(fn, u, out.Pages)
			out.Each = max(out.Each, u.each)
		}
		if d.known() && p.repeats(fn, block) {
			out.Each = max(out.Each, d.For)
		}
		weights[block] = weights[block].plus(d)
	}
	if len(weights) > 0 {
		out.Time = longest(fn, p.loopsOf(fn), weights)
	}
	if s := p.sequence(fn, param); s != "" && out.Pages == "" {
		out.Pages, out.Time = s, openSpan
	}
	return out
}

// triesUnder returns the attempts that a call under a parameter is one of, or makes itself.
func (p *program) triesUnder(fn *ssa.Function, u use) tries {
	if len(u.under.caps) == 0 {
		return u.tries
	}
	out, _ := p.triesOf(fn, u)
	return out
}

// repeats reports whether a block runs again in a loop whose rounds nobody counted.
func (p *program) repeats(fn *ssa.Function, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(p.loopsOf(fn), func(l *loop) bool { return l.count == 0 && l.body[b] })
}

// pagesOf returns the call that is repeated for as long as each reply asks for another, in fn or in what it calls.
func (p *program) pagesOf(fn *ssa.Function, u use, found string) string {
	switch {
	case found != "":
		return found
	case u.pages != "":
		return u.pages
	case u.time.Open && p.paged(fn, u.call):
		return u.name
	}
	return ""
}

// paged reports whether a call is repeated in a loop with an argument that its reply gave: a cursor, a token, an offset.
func (p *program) paged(fn *ssa.Function, call ssa.CallInstruction) bool {
	v, ok := call.(*ssa.Call)
	if !ok {
		return false
	}
	for _, l := range p.loopsOf(fn) {
		if l.count > 0 || !l.body[call.Block()] || l.capped() {
			continue
		}
		if slices.Contains([]string{"NextPage", "GetNextPage"}, calleeName(v)) {
			return true
		}
		for _, a := range v.Call.Args {
			if !carries(a.Type()) && !typeset.IsError(a.Type()) && l.feeds(v, a) {
				return true
			}
		}
	}
	return false
}

func calleeName(c *ssa.Call) string {
	if f := ssawalk.Callee(c); f != nil {
		return f.Name()
	}
	return ""
}
