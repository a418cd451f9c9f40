package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// tunnels reports whether a copy is one way of a tunnel: beside it the same two connections are copied the other way. A tunnel
// is meant to last as long as its two ends talk, and ends when either hangs up.
func (r *Result) tunnels(fn *ssa.Function, t contexts.Target, row knowledge.Row) bool {
	if len(row.Also) != 1 {
		return false // reads or writes one connection
	}
	from, to := t.At(row.On), t.At(row.Also[0])
	for _, f := range family(ssawalk.Outermost(fn)) {
		for c := range ssawalk.Calls(f) {
			targets, _ := r.ctx.Targets(c.Common())
			for _, back := range targets {
				k, ok := r.ctx.Row(back.Obj)
				if !ok || k.Verb != knowledge.Waits || len(k.Also) != 1 {
					continue
				}
				if r.sameConn(from, back.At(k.Also[0])) && r.sameConn(to, back.At(k.On)) {
					return true
				}
			}
		}
	}
	return false
}

// sameConn reports whether two values may be, or be made from, the same connection.
func (r *Result) sameConn(a, b ssa.Value) bool {
	if a == nil || b == nil {
		return false
	}
	as, _ := r.ctx.Conns(a)
	bs, _ := r.ctx.Conns(b)
	for _, x := range as {
		for _, y := range bs {
			if x == y {
				return true
			}
		}
	}
	return ssawalk.Source(a) == ssawalk.Source(b)
}

// family returns a function and all literals in it.
func family(fn *ssa.Function) []*ssa.Function {
	out := []*ssa.Function{fn}
	for _, lit := range fn.AnonFuncs {
		out = append(out, family(lit)...)
	}
	return out
}
