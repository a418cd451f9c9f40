package summaries

import (
	"go/ast"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// judgeUnnamed judges a context parameter without a name, or named _, of a function that pauses between rounds or for long:
// what else it waits for is named by other rules where it waits.
func (r *Result) judgeUnnamed(c *court, fn *ssa.Function) {
	if r.entries.TestCode(fn) || r.flow.cleanupFunc(fn) || len(r.reach(fn)) > 0 {
		return // a test double; part of ending something; another carrier is in reach, and its waits are judged for that
	}
	field := unnamedContext(fn)
	if field == nil {
		return
	}
	for _, w := range r.sums[fn].waits.sorted() {
		if !w.Pause || w.Async || w.Cleanup || !w.Retry && w.For < r.sleep {
			continue // no pause, or one that is short or of unknown length
		}
		w.Src, w.In = field.Pos(), fn
		v := r.verdict("deafctx", "unnamed", w, fn.Name(), nil)
		v.End = field.End()
		c.add(v)
		return
	}
}

// unnamedContext returns the parameter of fn, a declared function or method, that is a context and has no name, or nil.
func unnamedContext(fn *ssa.Function) *ast.Field {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok {
		return nil
	}
	i := typeset.ContextParam(fn.Signature)
	if i < 0 {
		return nil
	}
	if name := fn.Signature.Params().At(i).Name(); name != "" && name != "_" {
		return nil
	}
	n := 0
	for _, f := range decl.Type.Params.List {
		n += max(1, len(f.Names))
		if i < n {
			return f
		}
	}
	return nil
}
