package contexts

import (
	"golang.org/x/tools/go/ssa"
)

// endedByOwner reports whether the cancel function that c returns beside its context has an owner that outlives the call: a
// field, a map, a caller, a callee. A cancel that this function itself defers, or that nobody keeps, gives a context no life
// of its own.
func endedByOwner(c *ssa.Call) bool {
	var cancel ssa.Value
	for _, ref := range *c.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == 1 {
			cancel = x
		}
	}
	return cancel != nil && becomes(cancel, 0) == outlives
}

// keeping says what becomes of a function value.
type keeping uint8

const (
	local    keeping = iota // only called here
	deferred                // called when this function returns
	outlives                // handed on to what outlives this call
)

// becomes follows the uses of a cancel function. A defer decides: the context ends with this function.
func becomes(v ssa.Value, depth int) keeping {
	refs := v.Referrers()
	if refs == nil || depth > 4 {
		return local
	}
	worst := local
	for _, ref := range *refs {
		k := keptBy(ref, v, depth)
		if k == deferred {
			return deferred
		}
		worst = max(worst, k)
	}
	return worst
}

func keptBy(ref ssa.Instruction, v ssa.Value, depth int) keeping {
	switch ref := ref.(type) {
	case *ssa.Defer:
		return deferred
	case ssa.CallInstruction:
		if ref.Common().Value == v {
			return local
		}
		return outlives
	case *ssa.Store:
		if a, ok := ref.Addr.(*ssa.Alloc); ok && ref.Val == v {
			return becomes(a, depth+1)
		}
		if ref.Addr == v {
			return local
		}
		return outlives
	case *ssa.MakeClosure:
		return keptByClosure(ref, depth)
	case *ssa.UnOp, *ssa.ChangeType, *ssa.Phi, *ssa.MakeInterface:
		return becomes(ref.(ssa.Value), depth+1)
	case *ssa.Return, *ssa.MapUpdate, *ssa.Send:
		return outlives
	}
	return local
}

// keptByClosure is what a closure that calls the cancel does with it: what becomes of the closure.
func keptByClosure(mc *ssa.MakeClosure, depth int) keeping {
	worst := local
	for _, ref := range *mc.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Defer:
			return deferred
		case *ssa.Go:
			continue // ends it from a goroutine of this call
		case ssa.CallInstruction:
			continue // called here, or given to a callee to run: AfterFunc, Once, errgroup
		default:
			worst = max(worst, keptBy(ref, mc, depth+1))
		}
	}
	return worst
}
