package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// usedIn returns the origins of the contexts on which what the loop calls waits: one that only a logger sees says nothing.
func (r *Result) usedIn(l *loops.Loop) contexts.Set {
	var out contexts.Set
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			c, ok := ssawalk.AsCall(in)
			if !ok {
				continue
			}
			for _, e := range r.effects(l.Fn, c) {
				if e.End == ByParam {
					out = out.Join(e.set)
				}
			}
			if r.answersFor(c) {
				out = out.Join(r.givenTo(c))
			}
		}
	}
	return out
}

// answersFor reports whether a call gives a context to a function of the package for what that returns. It may hear the context in a
// select, so that its summary has no wait; a logger returns nothing, and a tracer another context.
func (r *Result) answersFor(c ssa.CallInstruction) bool {
	callee := c.Common().StaticCallee()
	if callee == nil || r.sums[callee] == nil || ignoresContext(callee) {
		return false
	}
	results := callee.Signature.Results()
	for v := range results.Variables() {
		if typeset.IsContext(v.Type()) {
			return false
		}
	}
	return results.Len() > 0
}

// givenTo returns the origins of the contexts among the arguments of a call.
func (r *Result) givenTo(c ssa.CallInstruction) contexts.Set {
	var out contexts.Set
	for _, a := range c.Common().Args {
		if typeset.IsContext(a.Type()) {
			out = out.Join(r.ctx.Origins(a))
		}
	}
	return out
}
