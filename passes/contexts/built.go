package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// builtIn returns what is kept in field f of a value that the caller made itself, if a call is given one: the context that a
// builder's Build returns is the one that this builder was made with, whatever others were made with.
func (r *Result) builtIn(t Target, f *types.Var) (Set, int, bool) {
	if f == nil {
		return nil, noCycle, false
	}
	for _, arg := range t.Args {
		if s, low, ok := r.keptBy(arg, f, 0); ok {
			return s, low, true
		}
	}
	return nil, noCycle, false
}

// keptBy returns what is stored to field f of the struct that v is, or points to, where it is made: here, or by a function that
// returns it. Options that store to the field out of this function are left to what the field holds in all.
func (r *Result) keptBy(v ssa.Value, f *types.Var, depth int) (Set, int, bool) {
	if depth > 4 {
		return nil, noCycle, false // a longer chain of With… calls: not worth the walk
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		return r.keptBy(v.X, f, depth) // a struct by value
	case *ssa.Alloc:
		if stored := storedTo(v, f); len(stored) > 0 {
			s, low := r.join(stored, nil)
			return s, low, true
		}
	case *ssa.Call:
		return r.keptByResult(v, f, depth)
	}
	return nil, noCycle, false
}

// keptByResult is keptBy of what a function of this package returns: a struct that it makes, or one that it is given.
func (r *Result) keptByResult(c *ssa.Call, f *types.Var, depth int) (Set, int, bool) {
	targets, ok := r.Targets(&c.Call)
	if !ok || len(targets) != 1 || targets[0].Fn == nil {
		return nil, noCycle, false
	}
	var out Set
	low, any := noCycle, false
	for in := range ssawalk.Instrs(targets[0].Fn) {
		ret, ok := in.(*ssa.Return)
		if !ok || len(ret.Results) != 1 {
			continue // with an error beside it, it is a client rather than a builder
		}
		s, l, ok := r.returnedKeep(ret.Results[0], c, targets[0], f, depth)
		if !ok {
			return nil, noCycle, false
		}
		out, low, any = out.Join(s), min(low, l), true
	}
	return out, low, any
}

func (r *Result) returnedKeep(v ssa.Value, c *ssa.Call, t Target, f *types.Var, depth int) (Set, int, bool) {
	if p, ok := v.(*ssa.Parameter); ok {
		return r.keptBy(argOf(t, p), f, depth+1)
	}
	s, low, ok := r.keptBy(v, f, depth+1)
	if !ok {
		return nil, noCycle, false
	}
	s, l := r.substitute(s, c, t)
	return s, min(low, l), true
}

// storedTo returns what is stored to field f of a struct that is made here, by the function that makes it.
func storedTo(a *ssa.Alloc, f *types.Var) []ssa.Value {
	var out []ssa.Value
	for _, ref := range *a.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || fieldOf(fa) != f {
			continue
		}
		for _, use := range *fa.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == fa {
				out = append(out, st.Val)
			}
		}
	}
	return out
}
