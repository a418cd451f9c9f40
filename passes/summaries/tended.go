package summaries

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// An item may be looked at by others than who works on it: by the helper that takes it out, by whoever goes through the queue and throws
// away what is too old, or by the one who waits for the answer and leaves a mark on the item when it goes.

// byGiver reports whether the function that gave an item has looked at it, or may have.
func (l *look) byGiver(by *ssa.Call) bool {
	if by == nil {
		return false
	}
	for _, fn := range l.r.bodies(&by.Call) {
		if l.mayFn(fn) || l.mayGeneric(fn) {
			return true
		}
	}
	return false
}

// mayGeneric reports whether a function that does not know the type of what it takes hands it to something that may.
func (l *look) mayGeneric(fn *ssa.Function) bool {
	for v := range l.r.gotIn(fn) {
		if _, ok := types.Unalias(typeset.Deref(v.Type())).(*types.TypeParam); !ok {
			continue
		}
		for c := range ssawalk.Calls(fn) {
			targets, all := l.r.ctx.Targets(c.Common())
			foreign := all && len(targets) > 0 && !slices.ContainsFunc(targets, func(t contexts.Target) bool { return !l.onlyMethods(t, c) })
			_, builtin := c.Common().Value.(*ssa.Builtin)
			if !foreign && !builtin && l.r.concerns(c, v) {
				return true
			}
		}
	}
	return false
}

// tended reports whether some function of the package looks at the deadline of what stands in a queue, beside the one that puts it into
// its order.
func (l *look) tended() bool {
	for _, fn := range l.r.ir.Funcs {
		if l.r.ir.InTest(fn) || orders(fn.Signature) {
			continue
		}
		for in := range ssawalk.Instrs(fn) {
			if v, ok := in.(ssa.Value); ok && l.isRead(v) && standing(in) {
				return true
			}
			if c, ok := ssawalk.AsCall(in); ok && slices.ContainsFunc(c.Common().Args, isElement) && l.readBy(c) {
				return true
			}
		}
	}
	return false
}

// readBy reports whether a function of this package that a call runs reads one of the fields itself.
func (l *look) readBy(c ssa.CallInstruction) bool {
	fn := c.Common().StaticCallee()
	return fn != nil && l.r.sums[fn] != nil && !orders(fn.Signature) && l.reads(fn)
}

// standing reports whether a field that is read is one of an element of a list.
func standing(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		return isElement(in.X)
	case *ssa.Field:
		return isElement(in.X)
	}
	return false
}

// isElement reports whether a value, or what it points to, stands in a slice, a map or a list.
func isElement(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.IndexAddr, *ssa.Lookup:
		return true
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return false
		}
		if fa, ok := v.X.(*ssa.FieldAddr); ok && typeset.IsPointerTo(fa.X.Type(), "container/list", "Element") {
			return true
		}
		return isElement(v.X)
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Next, *ssa.Lookup:
			return true
		case *ssa.TypeAssert:
			return isElement(t.X)
		}
	case *ssa.TypeAssert:
		return isElement(v.X)
	case *ssa.FieldAddr:
		return isElement(v.X) // an entry
	}
	return false
}

// orders reports whether a function only says which of two comes first.
func orders(sig *types.Signature) bool {
	if sig.Params().Len() != 2 || sig.Results().Len() != 1 || !types.Identical(sig.Params().At(0).Type(), sig.Params().At(1).Type()) {
		return false
	}
	b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Bool || b.Kind() == types.Int)
}

// flagsOf returns the fields of an item by which others can say that it is of no use any more.
func flagsOf(it item) []*types.Var {
	var out []*types.Var
	for _, t := range [...]types.Type{it.value.Type(), innerOf(it)} {
		st, ok := typeset.Deref(t).Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range st.Fields() {
			if isFlag(f) {
				out = append(out, f.Origin())
			}
		}
	}
	return out
}

// innerOf returns the struct in an item's value that has the deadline: itself, or what it wraps.
func innerOf(it item) types.Type {
	st := typeset.Deref(it.value.Type()).Underlying().(*types.Struct)
	for f := range st.Fields() {
		if slices.ContainsFunc(limitsOf(f.Type()), func(x *types.Var) bool { return slices.Contains(it.limit, x) }) {
			return f.Type()
		}
	}
	return it.value.Type()
}

// isFlag reports whether a field is a mark, by its type and its name.
func isFlag(f *types.Var) bool {
	b, ok := f.Type().Underlying().(*types.Basic)
	if !(ok && b.Kind() == types.Bool) && !typeset.Is(f.Type(), "sync/atomic", "Bool") && !typeset.IsSignalChan(f.Type()) {
		return false
	}
	low := strings.ToLower(f.Name())
	for _, w := range [...]string{"cancel", "abandon", "gone", "done", "dead", "drop", "stale", "left", "quit", "stop", "expired"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// livesOn reports whether all that is stored to a field that holds a context ends with a component: the life of the item itself, which
// says nothing of a caller.
func (r *Result) livesOn(f *types.Var) bool {
	if !typeset.IsContext(f.Type()) {
		return false
	}
	found := false
	for _, fn := range r.ir.Funcs {
		for in := range ssawalk.Instrs(fn) {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || contexts.FieldOf(fa) != f {
				continue
			}
			s := r.ctx.Origins(st.Val)
			if s.Any(mayEnd) {
				return false
			}
			found = found || len(s) > 0
		}
	}
	return found
}

// mayEnd reports whether a context is not, or may not be, one that was made here without an end of its own.
func mayEnd(o contexts.Origin) bool {
	return o.Kind != contexts.Lifetime && o.Kind != contexts.Root || o.Bound.Own
}
