package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// held returns the value that a load of a variable certainly reads: the last store before it, when no other can come between.
// Anything else is returned as it is.
func (r *Result) held(v ssa.Value) ssa.Value {
	for range 4 {
		switch x := v.(type) {
		case *ssa.ChangeInterface:
			v = x.X
			continue
		case *ssa.UnOp:
			if st := r.lastStore(x); st != nil {
				v = st.Val
				continue
			}
		}
		return v
	}
	return v
}

// lastStore returns the store that a load of a local variable certainly sees, or nil.
func (r *Result) lastStore(load *ssa.UnOp) *ssa.Store {
	a, ok := r.ctx.Variable(load.X).(*ssa.Alloc)
	if !ok || load.Op != token.MUL {
		return nil
	}
	if a.Parent() != load.Parent() {
		return only(r.storesTo(a)) // read in a literal: nobody knows when
	}
	var last *ssa.Store
	for _, st := range r.storesTo(a) {
		if st.Parent() == load.Parent() && ssawalk.Before(st, load) && (last == nil || ssawalk.Before(last, st)) {
			last = st
		}
	}
	if last == nil || r.storedBetween(a, last, load) {
		return nil
	}
	return last
}

func only(st []*ssa.Store) *ssa.Store {
	if len(st) != 1 {
		return nil
	}
	return st[0]
}

// storesTo returns the stores to a variable in its function and in the literals that capture it.
func (r *Result) storesTo(a *ssa.Alloc) []*ssa.Store {
	var out []*ssa.Store
	var collect func(v ssa.Value)
	collect = func(v ssa.Value) {
		for _, ref := range *v.Referrers() {
			switch ref := ref.(type) {
			case *ssa.Store:
				if ref.Addr == v {
					out = append(out, ref)
				}
			case *ssa.MakeClosure:
				for i, b := range ref.Bindings {
					if b == v {
						collect(ref.Fn.(*ssa.Function).FreeVars[i])
					}
				}
			}
		}
	}
	collect(a)
	return out
}

// storedBetween reports whether something else may be stored to a variable after one instruction and before another.
func (r *Result) storedBetween(a *ssa.Alloc, from, to ssa.Instruction) bool {
	for _, st := range r.storesTo(a) {
		if ssa.Instruction(st) == from {
			continue
		}
		if st.Parent() != from.Parent() || ssawalk.MayFollow(from, st) && ssawalk.MayFollow(st, to) && !ssawalk.Before(st, from) {
			return true
		}
	}
	return false
}

// sameContext reports whether v, read before an instruction, is the context that has ended at e.
func (r *Result) sameContext(e end, v ssa.Value, in ssa.Instruction) bool {
	a, b := r.held(e.ctx), r.held(v)
	if a == b {
		return true
	}
	return r.sameRead(a, b, e, in, 0)
}

// sameRead reports whether two values read the same place, or ask the same carrier for its context, with no store between.
func (r *Result) sameRead(a, b ssa.Value, e end, in ssa.Instruction, depth int) bool {
	if a == nil || b == nil || depth > 4 {
		return false
	}
	if a == b {
		return true
	}
	switch x := a.(type) {
	case *ssa.UnOp:
		y, ok := b.(*ssa.UnOp)
		if !ok || x.Op != token.MUL || y.Op != token.MUL {
			return false
		}
		p, q := r.ctx.Variable(x.X), r.ctx.Variable(y.X)
		if v, ok := p.(*ssa.Alloc); ok && p == q {
			return !r.storedBetween(v, e.in.Instrs[0], in)
		}
		return r.sameRead(p, q, e, in, depth+1)
	case *ssa.FieldAddr:
		y, ok := b.(*ssa.FieldAddr)
		return ok && contexts.FieldOf(x) == contexts.FieldOf(y) && !storedIn(in.Parent(), x) && r.sameRead(x.X, y.X, e, in, depth+1)
	case *ssa.Call:
		y, ok := b.(*ssa.Call)
		if !ok || calleeName(x) != "Context" || calleeName(y) != "Context" {
			return false
		}
		return r.sameRead(onContext(&x.Call), onContext(&y.Call), e, in, depth+1)
	}
	return false
}

// storedIn reports whether fn itself stores to the field.
func storedIn(fn *ssa.Function, fa *ssa.FieldAddr) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if st, ok := in.(*ssa.Store); ok {
				if x, ok := st.Addr.(*ssa.FieldAddr); ok && contexts.FieldOf(x) == contexts.FieldOf(fa) {
					return true
				}
			}
		}
	}
	return false
}
