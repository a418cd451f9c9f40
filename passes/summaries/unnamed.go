package summaries

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
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

// judgeFiles judges loops over files in which no round looks at the context in reach, and nothing hears it.
func (r *Result) judgeFiles(c *court, fn *ssa.Function) {
	reach := r.reach(fn)
	if len(reach) == 0 || r.entries.TestCode(fn) || r.flow.cleanupFunc(fn) || r.flow.loose(fn) {
		return
	}
	for _, l := range r.loops.In(fn) {
		if l.LooksIn() {
			continue
		}
		work := ""
		heard := false
		for _, b := range l.Blocks() {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				heard = heard || givenContext(call)
				if name := fileWork(call); name != "" && work == "" && r.loops.Around(call) == l {
					work = name
				}
			}
		}
		if work == "" || heard {
			continue // no file, or something in it is given the context
		}
		pos, end := r.loopPos(l)
		w := Wait{Name: work, Src: pos, In: fn}
		v := r.verdict("deafctx", "files", w, "loop", reach)
		v.End = end
		c.add(v)
	}
}

// fileWork returns the name of a call that opens, reads or copies files, or "".
func fileWork(c ssa.CallInstruction) string {
	fn := ssawalk.Callee(c)
	if fn == nil || fn.Pkg() == nil || !isFileWork(fn) {
		return ""
	}
	return contexts.DisplayName(fn)
}

func isFileWork(fn *types.Func) bool {
	switch fn.Pkg().Path() {
	case "os":
		for _, w := range [...]string{"Open", "OpenFile", "Create", "ReadFile", "WriteFile", "ReadDir", "Readdir", "Readdirnames"} {
			if fn.Name() == w {
				return true
			}
		}
	case "path/filepath":
		return fn.Name() == "Walk" || fn.Name() == "WalkDir"
	}
	return false
}
