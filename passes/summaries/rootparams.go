package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// rootOnly reports whether a parameter is a context, or a request with one, that nothing ends, by all the calls of its function: a
// function that nobody else can call and that no value holds, in the end called from main with context.Background. To carry such a
// context on would end nothing.
func (r *Result) rootOnly(p *ssa.Parameter) bool {
	if yes, ok := r.rooted[p]; ok {
		return yes
	}
	w := &rootWalk{r: r, seen: make(map[*ssa.Parameter]bool)}
	yes := w.param(p) && w.root // functions that only call each other are called from nowhere
	for q := range w.seen {
		if yes || q == p {
			r.rooted[q] = yes
		}
	}
	return yes
}

// rootWalk goes from a parameter to all that is given for it.
type rootWalk struct {
	r    *Result
	seen map[*ssa.Parameter]bool
	root bool // a root was met
}

// param reports whether each call of p's function gives it what nothing ends.
func (w *rootWalk) param(p *ssa.Parameter) bool {
	if w.seen[p] {
		return true
	}
	w.seen[p] = true
	if !typeset.IsContext(p.Type()) && !typeset.IsRequest(p.Type()) || !w.r.calledHereOnly(p.Parent()) {
		return false
	}
	i := paramIndex(p.Parent(), p)
	for _, s := range w.r.callers[p.Parent()] {
		call := s.in.Common()
		if call.StaticCallee() != p.Parent() || i >= len(call.Args) || !w.value(call.Args[i]) {
			return false
		}
	}
	return true
}

// value reports whether v is context.Background itself, values added to it or not, or a request made without a context.
func (w *rootWalk) value(v ssa.Value) bool {
	switch v := ssawalk.Source(v).(type) {
	case *ssa.Parameter:
		return w.param(v)
	case *ssa.Call:
		switch ssawalk.CalleeName(v) {
		case "context.Background", "context.TODO":
			w.root = true
			return true
		case "context.WithValue":
			return w.value(v.Call.Args[0])
		}
	}
	if !typeset.IsRequest(v.Type()) {
		return false
	}
	set := w.r.ctx.Origins(v)
	w.root = w.root || len(set) > 0
	return len(set) > 0 && !set.Any(func(o contexts.Origin) bool { return o.Kind != contexts.Root || !o.Handle })
}

// calledHereOnly reports whether all calls of fn are in sight: a function that other packages cannot name, or of package main, that is no
// entry point and is never used but called; a method of package main that no interface asks for.
func (r *Result) calledHereOnly(fn *ssa.Function) bool {
	obj := fn.Object()
	switch {
	case obj == nil || fn.TypeParams().Len() > 0:
		return false // a literal, a generic function with instances of its own
	case obj.Exported() && obj.Pkg().Name() != "main":
		return false
	case fn.Signature.Recv() != nil && (obj.Pkg().Name() != "main" || r.boxed(fn)):
		return false // a method that an interface may call
	case len(r.callers[fn]) == 0 || r.entries.Entry(fn):
		return false
	}
	return !r.asValue(fn)
}

// boxed reports whether a value with the method fn is ever made into an interface that has the method too.
func (r *Result) boxed(fn *ssa.Function) bool {
	recv := types.Unalias(typeset.Deref(fn.Signature.Recv().Type()))
	for _, f := range append([]*ssa.Function{r.ir.Pkg.Func("init")}, r.ir.Funcs...) {
		for in := range ssawalk.Instrs(f) {
			mk, ok := in.(*ssa.MakeInterface)
			if ok && types.Identical(types.Unalias(typeset.Deref(mk.X.Type())), recv) && typeset.Method(mk.Type(), fn.Name()) != nil {
				return true
			}
		}
	}
	return false
}

// asValue reports whether fn is used in another way than by a call of it.
func (r *Result) asValue(fn *ssa.Function) bool {
	if r.values == nil {
		r.values = make(map[*ssa.Function]bool)
		for _, f := range append([]*ssa.Function{r.ir.Pkg.Func("init")}, r.ir.Funcs...) {
			for in := range ssawalk.Instrs(f) {
				call, isCall := ssawalk.AsCall(in)
				for i, op := range in.Operands(nil) {
					if g, ok := (*op).(*ssa.Function); ok && !(isCall && i == 0 && call.Common().Value == g) {
						r.values[g] = true
					}
				}
			}
		}
	}
	return r.values[fn]
}
