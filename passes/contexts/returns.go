package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// ofBody returns the origins of a result of a function of this package, its parameters replaced by the arguments of c.
func (r *Result) ofBody(c *ssa.Call, t Target, index int) (Set, int) {
	all, low := r.returned(t.Fn)
	if index >= len(all) {
		return unknown, noCycle
	}
	s, l := r.substitute(all[index], c, t)
	low = min(low, l)
	if t.Obj != nil && t.Obj.Name() == "Context" && s.Has(Unknown) && typeset.ContextMethod(receiver(t)) != nil {
		return r.origins(t.Recv()) // a message's Context, of which the body says nothing
	}
	return s, low
}

// returned returns the origins of each result of fn, in terms of its own parameters.
func (r *Result) returned(fn *ssa.Function) ([]Set, int) {
	if s, ok := r.results[fn]; ok {
		return s, noCycle
	}
	n := fn.Signature.Results().Len()
	out, low := make([]Set, n), noCycle
	relevant := false
	for i := range n {
		t := fn.Signature.Results().At(i).Type()
		relevant = relevant || r.Carries(t) || r.bindable(t) || r.isHandle(t)
	}
	if !relevant {
		for i := range out {
			out[i] = unknown
		}
		r.results[fn] = out
		return out, noCycle
	}
	paths := make([][]Set, n)
	for in := range ssawalk.Instrs(fn) {
		ret, ok := in.(*ssa.Return)
		if !ok {
			continue
		}
		byDefault := onNilPath(ret.Block(), nil)
		for i, x := range ret.Results {
			s, l := r.origins(x)
			if byDefault {
				s = filter(s, func(o Origin) bool { return o.Kind != Root })
			}
			low = min(low, l)
			paths[i] = append(paths[i], s)
		}
	}
	for i := range out {
		out[i] = joinPaths(paths[i])
		if out[i].Any(Origin.Inherited) { // ctx or a root, by a test of a setting: both are there on purpose
			out[i] = filter(out[i], func(o Origin) bool { return o.Kind != Root || o.Handle || o.Bound.Own })
		}
	}
	if low == noCycle {
		r.results[fn] = out
	}
	return out, low
}

// isHandle reports whether a value of type t is a handle that the tables bind to a context when it is made: a command, or the policy of a
// library that retries for as long as its policy says.
func (r *Result) isHandle(t types.Type) bool {
	if typeset.IsPointerTo(t, "os/exec", "Cmd") {
		return true
	}
	n := typeset.Named(t)
	if n == nil || n.Obj().Pkg() == nil {
		return false
	}
	row, ok := r.tables.Func(n.Obj().Pkg().Path() + ".Retry")
	return ok && row.Retry && row.ByRecv
}

// substitute puts the arguments of c in the place of the parameters of the callee.
func (r *Result) substitute(s Set, c *ssa.Call, t Target) (Set, int) {
	var out Set
	low := noCycle
	for _, o := range s {
		switch {
		case o.Kind == Param && o.Param.Parent() == t.Fn:
			arg, l := r.origins(argOf(t, o.Param))
			low = min(low, l)
			out = out.Join(arg.Bounded(o.Bound))
		case o.Kind == Handed && o.Field != nil:
			kept, l, ok := r.builtIn(t, o.Field)
			if !ok {
				kept, l = Set{o}, noCycle
			}
			low = min(low, l)
			out = out.Join(kept.Bounded(o.Bound))
		case o.In != nil && o.In != c.Parent() && len(r.Reach(o.In)) == 0:
			o.Name, o.Pos, o.In = r.nameOf(t), c.Call.Pos(), c.Parent() // to be mended here, where the call is
			out = out.Join(Set{o})
		default:
			out = out.Join(Set{o})
		}
	}
	return out, low
}

// argOf returns the argument given for a parameter of t's body, or nil.
func argOf(t Target, p *ssa.Parameter) ssa.Value {
	for i, q := range t.Fn.Params {
		if q == p && i < len(t.Args) {
			return t.Args[i]
		}
	}
	return nil
}

func (r *Result) nameOf(t Target) string {
	if t.Obj != nil {
		return DisplayName(t.Obj)
	}
	return "the function literal"
}
