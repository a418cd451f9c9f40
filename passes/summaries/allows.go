package summaries

import (
	"go/ast"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// What the context around a loop allows, by the timeouts in sight: of several on the way the least, of several callers the most.

// aroundLoop returns what the contexts allow that are made before the loop and that its rounds ask or are given: the least of them.
func (r *Result) aroundLoop(l *loops.Loop) fit {
	var out fit
	note := func(v ssa.Value) {
		v = r.beforeLoop(l, v)
		if v == nil {
			return
		}
		if d := r.lasts(v, 0); d > 0 && (out.allows == 0 || d < out.allows) {
			out.allows, out.ctx = d, r.contextName(v)
		}
	}
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if asksEnd(c) {
				note(c.Call.Value)
			}
			for _, a := range c.Call.Args {
				if typeset.IsContext(a.Type()) {
					note(a)
				}
			}
		}
	}
	return out
}

// maxDerived bounds the walk from the context of an attempt to the one before the loop.
const maxDerived = 6

// beforeLoop returns the context before the loop from which v is derived, or v itself when it was made there; nil when that is not seen.
func (r *Result) beforeLoop(l *loops.Loop, v ssa.Value) ssa.Value {
	for range maxDerived {
		v = ssawalk.Source(v)
		if in, ok := v.(ssa.Instruction); !ok || !l.Has(in.Block()) {
			return v
		}
		v = r.parent(v)
		if v == nil {
			return nil
		}
	}
	return nil
}

// lasts returns how long a context lasts at most, on every path and for all callers in sight; 0 when somebody may give a longer one.
func (r *Result) lasts(v ssa.Value, depth int) time.Duration {
	longest := time.Duration(0)
	for _, o := range r.ctx.Origins(v) {
		d := o.Bound.For
		if !o.Bound.Own || d <= 0 {
			if d = r.givenFor(o, depth); d == 0 {
				return 0
			}
		}
		longest = max(longest, d)
	}
	return longest
}

// givenFor returns how long the contexts last that all callers in sight give for a parameter, 0 when there may be others.
func (r *Result) givenFor(o contexts.Origin, depth int) time.Duration {
	if o.Kind != contexts.Param || depth > 2 || typeset.IsRequest(o.Param.Type()) {
		return 0
	}
	fn := o.Param.Parent()
	if obj := fn.Object(); len(r.callers[fn]) == 0 || obj != nil && obj.Exported() || r.asValue(fn) {
		return 0
	}
	vals, all := r.argsFor(o.Param)
	if !all {
		return 0
	}
	longest := time.Duration(0)
	for _, v := range vals {
		d := r.lasts(v, depth+1)
		if d == 0 {
			return 0
		}
		longest = max(longest, d)
	}
	return longest
}

// contextName returns a context made before a loop as a reader would type it: by its name, or that of the variable it is assigned to.
func (r *Result) contextName(v ssa.Value) string {
	x, ok := v.(*ssa.Extract)
	if !ok {
		if name := valueName(v); name != unnamed {
			return name
		}
		return "its context"
	}
	name := "its context"
	syntax := x.Parent().Syntax()
	if syntax == nil {
		return name
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Rhs) == 1 {
			if call, ok := a.Rhs[0].(*ast.CallExpr); ok && call.Lparen == x.Tuple.Pos() {
				name = exprText(a.Lhs[0])
			}
		}
		return true
	})
	return name
}
