package ssawalk

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Strip removes what changes a value's type and not the value: conversions, interfaces made and asserted, and a φ whose
// edges all bring the same value.
func Strip(v ssa.Value) ssa.Value {
	for range maxSteps {
		next := strip(v)
		if next == nil {
			return v
		}
		v = next
	}
	return v
}

func strip(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.ChangeType:
		return v.X
	case *ssa.ChangeInterface:
		return v.X
	case *ssa.MakeInterface:
		return v.X
	case *ssa.Convert:
		return v.X
	case *ssa.MultiConvert:
		return v.X
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return v.X
		}
	case *ssa.Extract:
		if t, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 {
			return t.X
		}
	case *ssa.Phi:
		return single(v)
	}
	return nil
}

// single returns the one value that all edges of a φ bring, the φ itself not counted, or nil.
func single(phi *ssa.Phi) ssa.Value {
	var one ssa.Value
	for _, e := range phi.Edges {
		if e == phi || e == one {
			continue
		}
		if one != nil {
			return nil
		}
		one = e
	}
	return one
}

// Source is Strip that goes on through variables that are assigned once: locals whose address is taken, and those of an
// enclosing function.
func Source(v ssa.Value) ssa.Value {
	for range maxSteps {
		v = Strip(v)
		next := load(v)
		if next == nil {
			return v
		}
		v = next
	}
	return v
}

// load returns the value that v, a load from a variable assigned once or a free variable bound by value, surely has.
func load(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return nil
		}
		if x, ok := SingleStore(v.X); ok {
			return x
		}
	case *ssa.FreeVar:
		return Bound(v) // usually an address, which is no load; a bound value is what it is
	}
	return nil
}

// Variable returns the alloc behind the address addr, also when addr is the free variable of a closure, or nil.
func Variable(addr ssa.Value) *ssa.Alloc {
	for range maxSteps {
		switch a := addr.(type) {
		case *ssa.Alloc:
			return a
		case *ssa.FreeVar:
			if addr = Bound(a); addr == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// SingleStore returns the value stored in the local variable with the address addr when there is exactly one store, in the
// function or its closures, and the address goes nowhere else.
func SingleStore(addr ssa.Value) (ssa.Value, bool) {
	st := Stores(addr)
	if len(st) != 1 {
		return nil, false
	}
	return st[0].Val, true
}

// Stores returns the stores to the local variable with the address addr, in the function and its closures; nil when there
// are none, or when the address escapes, so that others may store.
func Stores(addr ssa.Value) []*ssa.Store {
	alloc := Variable(addr)
	if alloc == nil {
		return nil
	}
	st, ok := stores(alloc, nil, 0)
	if !ok {
		return nil
	}
	return st
}

func stores(addr ssa.Value, st []*ssa.Store, depth int) ([]*ssa.Store, bool) {
	refs := addr.Referrers()
	if refs == nil || depth > maxSteps {
		return st, false
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == addr {
				return st, false
			}
			st = append(st, r)
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			fv := FreeVar(r, addr)
			if fv == nil {
				return st, false
			}
			var ok bool
			if st, ok = stores(fv, st, depth+1); !ok {
				return st, false
			}
		default:
			return st, false
		}
	}
	return st, true
}
