package loops

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Ends reports whether a loop is over by itself: it goes over what is there, counts, or asks the clock.
func (l *Loop) Ends() bool { return l.Collection() || l.Counted() || l.Timed() }

// Stands reports whether rounds that go only through the given blocks bring no such end nearer: nothing there counts, goes on to the
// next of what is there, or asks the clock, so that each round asks what the one before asked. `continue` before `start++` is the plain case.
func (l *Loop) Stands(blocks []*ssa.BasicBlock) bool {
	on := setOf(blocks)
	for _, e := range l.exits() {
		if !on[e.at] {
			continue // not asked in such a round
		}
		if _, next := e.cond.(*ssa.Extract); next || asksClock(e.cond, 0) {
			return false
		}
		if bin, ok := e.cond.(*ssa.BinOp); ok && l.bounds(bin) && !(l.fixed(bin.X, on, 0) && l.fixed(bin.Y, on, 0)) {
			return false
		}
	}
	return true
}

// bounds reports whether a condition is a count, or asks for the length of something.
func (l *Loop) bounds(bin *ssa.BinOp) bool {
	return l.counts(bin.X) || l.counts(bin.Y) || l.isLen(bin.X) || l.isLen(bin.Y)
}

// Fixed reports whether a value is surely the same in each round that goes only through the given blocks.
func (l *Loop) Fixed(v ssa.Value, blocks []*ssa.BasicBlock) bool { return l.fixed(v, setOf(blocks), 0) }

// maxOperands bounds the walk from a value to what it is made of.
const maxOperands = 6

func (l *Loop) fixed(v ssa.Value, on map[*ssa.BasicBlock]bool, depth int) bool {
	in, ok := v.(ssa.Instruction)
	if !ok || !l.Has(in.Block()) {
		return true // a constant, a parameter, made before the loop
	}
	if depth > maxOperands {
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return l.fixedPhi(v, on, depth)
	case *ssa.BinOp:
		return l.fixed(v.X, on, depth+1) && l.fixed(v.Y, on, depth+1)
	case *ssa.Convert:
		return l.fixed(v.X, on, depth+1)
	case *ssa.ChangeType:
		return l.fixed(v.X, on, depth+1)
	case *ssa.MakeInterface:
		return l.fixed(v.X, on, depth+1)
	case *ssa.UnOp:
		return v.Op == token.MUL && l.fixedVar(v.X, on)
	case *ssa.Call:
		return l.isLen(v) && l.fixed(v.Call.Args[0], on, depth+1)
	case *ssa.Slice:
		return l.fixed(v.X, on, depth+1) && v.Low == nil && v.High == nil // the list of a variadic call
	case *ssa.Alloc:
		return l.fixedLiteral(v, on, depth)
	}
	return false // made anew, out of sight
}

// fixedPhi reports whether what comes round to a φ by the given blocks is what it had, and elsewhere in the round the same on each way.
func (l *Loop) fixedPhi(phi *ssa.Phi, on map[*ssa.BasicBlock]bool, depth int) bool {
	for i, e := range phi.Edges {
		if pred := phi.Block().Preds[i]; !l.Has(pred) || !on[pred] {
			continue // before the first round; not on the way
		}
		if phi.Block() == l.Head {
			if !l.comesTo(e, phi, on, depth) {
				return false
			}
		} else if !l.fixed(e, on, depth+1) {
			return false
		}
	}
	return true
}

// comesTo reports whether a value is a φ of the loop's head, be it through others on the way.
func (l *Loop) comesTo(v ssa.Value, head *ssa.Phi, on map[*ssa.BasicBlock]bool, depth int) bool {
	if v == ssa.Value(head) {
		return true
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || depth > maxOperands || phi.Block() == l.Head {
		return false
	}
	for i, e := range phi.Edges {
		if on[phi.Block().Preds[i]] && !l.comesTo(e, head, on, depth+1) {
			return false
		}
	}
	return true
}

// fixedVar reports whether a variable of the function, or a field of one, is not stored to on the way. One that others may reach is not
// told.
func (l *Loop) fixedVar(addr ssa.Value, on map[*ssa.BasicBlock]bool) bool {
	base := addr
	for {
		fa, ok := base.(*ssa.FieldAddr)
		if !ok {
			break
		}
		base = fa.X
	}
	a, ok := base.(*ssa.Alloc)
	if !ok || a.Heap {
		return false
	}
	for b := range on {
		for _, in := range b.Instrs {
			if st, ok := in.(*ssa.Store); ok && (st.Addr == a || sameAddr(st.Addr, addr)) {
				return false
			}
		}
	}
	return true
}

// fixedLiteral reports whether a composite literal of the round is made of what is the same in each.
func (l *Loop) fixedLiteral(a *ssa.Alloc, on map[*ssa.BasicBlock]bool, depth int) bool {
	for _, ref := range *a.Referrers() {
		var part ssa.Value
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			part = ref
		case *ssa.IndexAddr:
			part = ref
		default:
			continue // read, or handed on
		}
		for _, use := range *part.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == part && !l.fixed(st.Val, on, depth+1) {
				return false
			}
		}
	}
	return true
}

func setOf(blocks []*ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	on := make(map[*ssa.BasicBlock]bool, len(blocks))
	for _, b := range blocks {
		on[b] = true
	}
	return on
}
