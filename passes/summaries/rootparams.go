package summaries

import (
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
	r.rooted[p] = true // as far as a recursion goes
	yes := (typeset.IsContext(p.Type()) || typeset.IsRequest(p.Type())) && r.calledHereOnly(p.Parent()) && r.givenRoots(p)
	r.rooted[p] = yes
	return yes
}

// givenRoots reports whether each call of p's function gives it what nothing ends.
func (r *Result) givenRoots(p *ssa.Parameter) bool {
	i := paramIndex(p.Parent(), p)
	for _, s := range r.callers[p.Parent()] {
		call := s.in.Common()
		if call.StaticCallee() != p.Parent() || i >= len(call.Args) || !r.endsNever(call.Args[i]) {
			return false
		}
	}
	return true
}

// endsNever reports whether a value is context.Background itself, values added to it or not, or a request made without a context.
func (r *Result) endsNever(v ssa.Value) bool {
	switch v := ssawalk.Source(v).(type) {
	case *ssa.Parameter:
		return r.rootOnly(v)
	case *ssa.Call:
		switch ssawalk.CalleeName(v) {
		case "context.Background", "context.TODO":
			return true
		case "context.WithValue":
			return r.endsNever(v.Call.Args[0])
		}
	}
	if !typeset.IsRequest(v.Type()) {
		return false
	}
	set := r.ctx.Origins(v)
	return len(set) > 0 && !set.Any(func(o contexts.Origin) bool { return o.Kind != contexts.Root || !o.Handle })
}

// calledHereOnly reports whether all calls of fn are in sight: a function, no method, that other packages cannot name, or of package
// main, that is no entry point and is never used but called.
func (r *Result) calledHereOnly(fn *ssa.Function) bool {
	obj := fn.Object()
	switch {
	case obj == nil || fn.Signature.Recv() != nil || fn.TypeParams().Len() > 0:
		return false // a literal, a method that an interface may call, a generic function with instances of its own
	case obj.Exported() && obj.Pkg().Name() != "main":
		return false
	case len(r.callers[fn]) == 0 || r.entries.Entry(fn):
		return false
	}
	return !r.asValue(fn)
}

// asValue reports whether fn is used in another way than by a call of it.
func (r *Result) asValue(fn *ssa.Function) bool {
	if r.values == nil {
		r.values = make(map[*ssa.Function]bool)
		for _, f := range append([]*ssa.Function{r.ir.Pkg.Func("init")}, r.ir.Funcs...) {
			for in := range ssawalk.Instrs(f) {
				call, isCall := in.(ssa.CallInstruction)
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
