package contexts

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// phi joins the paths that meet in v. A root that only a nil test, or an assertion that did not hold, lets through is a defensive
// default, and no origin. So is a request as it came, beside itself with a context that may be nil:
//
//	if ctx != nil {
//		req = req.WithContext(ctx)
//	}
func (r *Result) phi(v *ssa.Phi) (Set, int) {
	isRequest := typeset.IsRequest(v.Type())
	return r.join(v.Edges, func(i int, o Origin) bool {
		pred := v.Block().Preds[i]
		return (o.Kind == Root || isRequest) && (nilBranch(pred, v.Block()) || onNilPath(pred, v.Block().Idom()))
	})
}

// onNilPath reports whether b is reached, below the block stop, only where a context or carrier is nil.
func onNilPath(b, stop *ssa.BasicBlock) bool {
	for ; b != nil && b != stop; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		if nilBranch(b.Preds[0], b) {
			return true
		}
	}
	return false
}

// storedOnNil returns what is stored to a variable only where a context or carrier is nil.
func storedOnNil(a *ssa.Alloc) map[ssa.Value]bool {
	if a.Referrers() == nil {
		return nil
	}
	out := make(map[ssa.Value]bool)
	for _, ref := range *a.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == a {
			out[st.Val] = onNilPath(st.Block(), nil)
		}
	}
	return out
}

// onNonNilPath reports whether b is reached only where a context or carrier is not nil.
func onNonNilPath(b *ssa.BasicBlock) bool {
	for ; b != nil; b = b.Idom() {
		if len(b.Preds) == 1 && testsNil(b.Preds[0], b, false) {
			return true
		}
	}
	return false
}

// nilBranch reports whether the branch from pred to b is taken when something is nil.
func nilBranch(pred, b *ssa.BasicBlock) bool { return testsNil(pred, b, true) }

// testsNil reports whether the branch from pred to b is taken when something that may bring a context is nil or not there, or is
// neither.
func testsNil(pred, b *ssa.BasicBlock, isNil bool) bool {
	cond, taken := branch(pred, b)
	if found := foundBy(cond); found != nil {
		return mayBring(found) && isNil != taken
	}
	bin, ok := cond.(*ssa.BinOp)
	if !ok || !ssawalk.IsNil(bin.X) && !ssawalk.IsNil(bin.Y) {
		return false
	}
	x := bin.X
	if ssawalk.IsNil(x) {
		x = bin.Y
	}
	if !mayBring(x.Type()) {
		return false // the nil of an error, a map, a pool says nothing about a context
	}
	return isNil == (bin.Op == token.EQL && taken || bin.Op == token.NEQ && !taken)
}

// foundBy returns the type of what a comma-ok assertion, look-up or call brings when it holds; nil when cond is none.
//
//	if c, ok := client.(interface{ GetContext() context.Context }); ok {
//		ctx = c.GetContext()
//	}
func foundBy(cond ssa.Value) types.Type {
	ok, is := cond.(*ssa.Extract)
	if !is {
		return nil
	}
	switch from := ok.Tuple.(type) {
	case *ssa.TypeAssert:
		return from.AssertedType
	case *ssa.Lookup:
		return from.Type().(*types.Tuple).At(0).Type()
	case *ssa.Call:
		if results := from.Type().(*types.Tuple); ok.Index == results.Len()-1 {
			return results.At(0).Type()
		}
	}
	return nil
}

// mayBring reports whether a value of type t, when there is one, may be where a context comes from: a context, a carrier, a
// struct that has one, a function that returns one, an interface with a method that does.
func mayBring(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return bringsContext(u)
	case *types.Interface:
		for m := range u.Methods() {
			if bringsContext(m.Signature()) {
				return true
			}
		}
	}
	return typeset.ImplementsContext(t) || typeset.IsRequest(t) || typeset.HasContextMethod(t) || typeset.ContextField(t) != nil
}

func bringsContext(sig *types.Signature) bool {
	return sig.Results().Len() > 0 && typeset.IsContext(sig.Results().At(0).Type())
}

// branch returns the condition under which pred goes on to b, and whether it holds there; nil when it goes on anyway.
func branch(pred, b *ssa.BasicBlock) (cond ssa.Value, taken bool) {
	if len(pred.Instrs) == 0 || len(pred.Succs) != 2 || pred.Succs[0] == pred.Succs[1] {
		return nil, false
	}
	in, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, false
	}
	cond, taken = in.Cond, pred.Succs[0] == b
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			return cond, taken
		}
		cond, taken = not.X, !taken
	}
}

// joinPaths joins the origins of several paths.
//
//   - A root that lies beside the same root with an inherited deadline copied onto it is as good as inherited: where the
//     inherited context has no deadline, there was none to copy.
//   - An origin that lies beside itself with a bound is bounded: whether the bound applies is the operator's choice, or it
//     was put on because none was there.
//   - WithoutCancel beside the inherited context is there on purpose, by configuration.
func joinPaths(sets []Set) Set {
	var all Set
	for _, s := range sets {
		all = all.Join(s)
	}
	if len(all) < 2 {
		return all
	}
	var out Set
	for _, o := range all {
		switch {
		case o.Kind == Root && all.Any(func(p Origin) bool { return p.Copied && p.Over == o.Pos }):
			continue
		case o.Kind == Uncancelled && !o.Bound.Own && all.Any(Origin.Inherited):
			continue
		case !o.Bound.Own && all.Any(func(p Origin) bool { return p.Bound.Own && same(o, p) }):
			continue
		}
		if !out.has(o) {
			out = append(out, o)
		}
	}
	out.sort()
	return out
}

// Any reports whether f holds for some origin.
func (s Set) Any(f func(Origin) bool) bool {
	for _, o := range s {
		if f(o) {
			return true
		}
	}
	return false
}

// same reports whether two origins differ only in their bounds.
func same(a, b Origin) bool {
	a.Bound, b.Bound = Bound{}, Bound{}
	return a == b
}

// deadlineOf returns the context whose deadline the duration or instant v was computed from, or nil.
func deadlineOf(v ssa.Value) ssa.Value { return deadlineFrom(v, make(map[ssa.Value]bool)) }

func deadlineFrom(v ssa.Value, seen map[ssa.Value]bool) ssa.Value {
	in, ok := v.(ssa.Instruction)
	if !ok || seen[v] || len(seen) > 60 {
		return nil
	}
	seen[v] = true
	if call, ok := v.(*ssa.Call); ok {
		if c := asksDeadline(&call.Call); c != nil {
			return c
		}
	}
	var ops [12]*ssa.Value
	for _, op := range in.Operands(ops[:0]) {
		if *op == nil {
			continue
		}
		if c := deadlineFrom(*op, seen); c != nil {
			return c
		}
	}
	return nil
}

// asksDeadline returns the context that a call asks for its deadline: c.Deadline() itself, or a function of ours that is
// given c and returns a duration, an instant or a flag.
func asksDeadline(c *ssa.CallCommon) ssa.Value {
	if c.IsInvoke() {
		if c.Method.Name() == "Deadline" && typeset.IsContext(c.Value.Type()) {
			return c.Value
		}
		return nil
	}
	res := c.Signature().Results()
	if res.Len() == 0 || !isTimely(res.At(0).Type()) {
		return nil
	}
	for _, a := range c.Args {
		if typeset.IsContext(a.Type()) {
			return a
		}
	}
	return nil
}

func isTimely(t types.Type) bool { return typeset.IsDuration(t) || typeset.IsTime(t) }
