package summaries

import (
	"go/ast"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/channels"
	"github.com/doneby/doneby/passes/contexts"
)

// judgeUnnamed judges a context parameter without a name, or named _, of a function that pauses between rounds or for long, waits for
// another goroutine that may never come, or reads and writes on a connection that nothing bounds: what else it waits for is named by other
// rules where it waits.
func (r *Result) judgeUnnamed(c *court, fn *ssa.Function) {
	if r.entries.TestCode(fn) || r.flow.cleanupFunc(fn) || len(r.reach(fn)) > 0 {
		return // a test double; part of ending something; another carrier is in reach, and its waits are judged for that
	}
	field := unnamedContext(fn)
	if field == nil {
		return
	}
	for _, w := range r.sums[fn].waits.sorted() {
		if !w.Pause || w.Stopped || w.Async || w.Cleanup || !w.Retry && w.For < r.sleep {
			continue // no pause, one that a stop ends, or one that is short or of unknown length
		}
		w.Src, w.In = field.Pos(), fn
		v := r.verdict("deafctx", "unnamed", w, fn.Name(), nil)
		v.End = field.End()
		c.add(v)
		return
	}
	if name := r.deaf.waitsIn(fn); name != "" {
		v := r.verdict("deafctx", "unnamed", Wait{Name: name, Src: field.Pos(), In: fn}, fn.Name(), nil)
		v.End = field.End()
		c.add(v)
		return
	}
	if name := r.talks(fn, 0); name != "" && r.conns != nil && len(r.conns.sets) == 0 {
		v := r.verdict("deafctx", "unnamed", Wait{Name: name, Src: field.Pos(), In: fn}, fn.Name(), nil)
		v.End = field.End()
		c.add(v)
	}
}

// waitsIn returns the first wait of fn itself, for another goroutine, that nothing is seen to end, "" for none. Those that are of a kind in
// audit where a context has a name, and those that are part of ending something, are left out.
func (d *deaf) waitsIn(fn *ssa.Function) string {
	for _, w := range d.in[fn] {
		if !d.ended[w] && !d.quiet(w) && w.Kind != channels.Sleep && d.sort(w) == "" {
			return "a " + d.span(w).text
		}
	}
	return ""
}

// talks returns the read or write that fn, or a function of the package that it calls, does on a connection, "" for none. In a package that
// sets no deadline on any connection nothing ends it.
func (r *Result) talks(fn *ssa.Function, depth int) string {
	if depth > maxTalk || fn == nil {
		return ""
	}
	for call := range ssawalk.Calls(fn) {
		if _, plain := call.(*ssa.Call); !plain {
			continue // a goroutine's, or at the end
		}
		targets, _ := r.ctx.Targets(call.Common())
		if len(targets) != 1 {
			continue
		}
		t := targets[0]
		if t.Fn != nil && len(t.Fn.Blocks) > 0 {
			if name := r.talks(t.Fn, depth+1); name != "" {
				return name
			}
			continue
		}
		row, ok := r.ctx.Row(t.Obj)
		if ok && row.Verb == knowledge.Waits && row.IO && t.Recv() != nil && contexts.IsConn(t.Recv().Type()) {
			return contexts.CalledName(t)
		}
	}
	return ""
}

// maxTalk is how many calls below a function its I/O is looked for.
const maxTalk = 3

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
