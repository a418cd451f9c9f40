package contexts

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// endedByOwner reports whether the cancel function that c returns beside its context has an owner that outlives the call: a
// field, a map, a caller, a callee. A cancel that this function itself defers, or that nobody keeps, gives a context no life
// of its own.
func endedByOwner(c *ssa.Call) bool {
	var cancel ssa.Value
	for _, ref := range *c.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && typeset.IsCancel(x.Type()) {
			cancel = x
		}
	}
	if cancel == nil {
		return false
	}
	switch becomes(cancel, 0) {
	case outlives:
		return true
	case spawned:
		return opens(c.Parent()) && leaves(c, cancel)
	case returned:
		return !typeset.ReturnsContext(c.Parent().Signature) // handed out with its context: the caller says what becomes of it
	}
	return false
}

// opens reports whether fn opens something that lives on: it hands out more than an error, and waits for none of its goroutines.
func opens(fn *ssa.Function) bool {
	given := false
	for t := range fn.Signature.Results().Variables() {
		given = given || !typeset.IsError(t.Type())
	}
	for in := range ssawalk.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.UnOp:
			given = given && in.Op != token.ARROW
		case *ssa.Select:
			given = given && !in.Blocking
		case *ssa.Call:
			given = given && (in.Call.StaticCallee() == nil || in.Call.StaticCallee().Name() != "Wait")
		}
	}
	return given
}

// leaves reports whether the function of c can return without a call of the cancel function that c gave it.
func leaves(c *ssa.Call, cancel ssa.Value) bool {
	calls := make(map[*ssa.BasicBlock]bool)
	noteCalls(cancel, c.Parent(), calls, 0)
	return !calls[c.Block()] && returnsAvoiding(c.Block(), calls)
}

// noteCalls notes the blocks of fn that call the function value v.
func noteCalls(v ssa.Value, fn *ssa.Function, blocks map[*ssa.BasicBlock]bool, depth int) {
	if v.Referrers() == nil || depth > 4 {
		return
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Call:
			if ref.Call.Value == v && ref.Parent() == fn {
				blocks[ref.Block()] = true
			}
		case *ssa.Store:
			if a, ok := ref.Addr.(*ssa.Alloc); ok && ref.Val == v {
				noteCalls(a, fn, blocks, depth+1)
			}
		case *ssa.UnOp:
			noteCalls(ref, fn, blocks, depth+1)
		}
	}
}

// returnsAvoiding reports whether control can go from b to a return without a visit to one of the blocks.
func returnsAvoiding(b *ssa.BasicBlock, avoid map[*ssa.BasicBlock]bool) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	var visit func(x *ssa.BasicBlock) bool
	visit = func(x *ssa.BasicBlock) bool {
		if seen[x] || avoid[x] {
			return false
		}
		seen[x] = true
		if _, ok := x.Instrs[len(x.Instrs)-1].(*ssa.Return); ok {
			return true
		}
		return slices.ContainsFunc(x.Succs, visit)
	}
	return visit(b)
}

// keeping says what becomes of a function value.
type keeping uint8

const (
	local    keeping = iota // only called here
	returned                // given to the caller
	spawned                 // called by a goroutine that is started here
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
		if k == returned && worst == spawned || k == spawned && worst == returned {
			k = outlives // a goroutine may end the context before the caller does
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
		return keptByClosure(ref, v, depth)
	case *ssa.UnOp, *ssa.ChangeType, *ssa.Phi, *ssa.MakeInterface:
		return becomes(ref.(ssa.Value), depth+1)
	case *ssa.Return:
		return returned
	case *ssa.MapUpdate, *ssa.Send:
		return outlives
	}
	return local
}

// keptByClosure is what a closure that calls the cancel does with it: what becomes of the closure.
func keptByClosure(mc *ssa.MakeClosure, cancel ssa.Value, depth int) keeping {
	worst := local
	for _, ref := range *mc.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Defer:
			if sometimes(mc, cancel) {
				continue // when this function fails, or on some other condition: it does not say how long the context lives
			}
			return deferred
		case *ssa.Go:
			worst = max(worst, spawned)
		case ssa.CallInstruction:
			continue // called here, or given to a callee to run: AfterFunc, Once, errgroup
		default:
			worst = max(worst, keptBy(ref, mc, depth+1))
		}
	}
	return worst
}

// sometimes reports whether a closure can return without a call of the cancel function that it captures.
func sometimes(mc *ssa.MakeClosure, cancel ssa.Value) bool {
	fn := mc.Fn.(*ssa.Function)
	v := ssawalk.FreeVar(mc, cancel)
	if v == nil || len(fn.Blocks) == 0 {
		return false
	}
	calls := make(map[*ssa.BasicBlock]bool)
	noteCalls(v, fn, calls, 0)
	return len(calls) > 0 && returnsAvoiding(fn.Blocks[0], calls)
}
