package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// aliases are the names of one thing in a function: what it is loaded from, converted to, joined with.
type aliases struct {
	surely bool // only what is this thing on every way; else also what may be
	vals   map[ssa.Value]bool
	cells  map[*ssa.Alloc]bool // the variables that hold it, by whatever literal they are captured
}

func aliasesOf(surely bool, vals ...ssa.Value) *aliases {
	a := &aliases{surely: surely, vals: make(map[ssa.Value]bool), cells: make(map[*ssa.Alloc]bool)}
	for _, v := range vals {
		a.vals[v] = true
	}
	return a
}

// within returns the names that a literal has for the thing from the start: the captured variables.
func (a *aliases) within() *aliases {
	in := aliasesOf(a.surely)
	for c := range a.cells {
		in.cells[c] = true
	}
	return in
}

// spread finds the names in a function. Each round adds some or is the last.
func (a *aliases) spread(fn *ssa.Function) {
	for more := true; more; {
		more = false
		for in := range ssawalk.Instrs(fn) {
			more = a.names(in) || more
		}
	}
}

// names adds the name that an instruction gives to the thing, if any.
func (a *aliases) names(in ssa.Instruction) bool {
	if st, ok := in.(*ssa.Store); ok {
		cell := ssawalk.Variable(st.Addr)
		if cell == nil || a.cells[cell] || !a.vals[st.Val] || a.surely && !a.all(ssawalk.Stores(cell)) {
			return false
		}
		a.cells[cell] = true
		return true
	}
	v, ok := in.(ssa.Value)
	if !ok || a.vals[v] || !a.renames(in) {
		return false
	}
	a.vals[v] = true
	return true
}

// all reports whether nothing else is stored in a variable, and no store is out of sight.
func (a *aliases) all(stores []*ssa.Store) bool {
	for _, st := range stores {
		if !a.vals[st.Val] {
			return false
		}
	}
	return len(stores) > 0
}

// renames reports whether the value of an instruction is the thing.
func (a *aliases) renames(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.MUL && a.holds(in.X)
	case *ssa.MakeInterface:
		return a.vals[in.X]
	case *ssa.ChangeInterface:
		return a.vals[in.X]
	case *ssa.ChangeType:
		return a.vals[in.X]
	case *ssa.TypeAssert:
		return a.vals[in.X]
	case *ssa.Extract:
		assert, ok := in.Tuple.(*ssa.TypeAssert)
		return ok && in.Index == 0 && a.vals[assert.X]
	case *ssa.Phi:
		is := 0
		for _, e := range in.Edges {
			if a.vals[e] {
				is++
			}
		}
		return is == len(in.Edges) || is > 0 && !a.surely
	}
	return false
}

// holds reports whether addr is the address of a variable that holds the thing.
func (a *aliases) holds(addr ssa.Value) bool {
	cell := ssawalk.Variable(addr)
	return cell != nil && a.cells[cell]
}

// has reports whether v is the thing, or a variable that holds it.
func (a *aliases) has(v ssa.Value) bool { return v != nil && (a.vals[v] || a.holds(v)) }

// used reports whether an instruction does something with the thing, other than to give it a name or to ask whether it is there.
func (a *aliases) used(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.TypeAssert, *ssa.Extract, *ssa.Phi:
		return false
	case *ssa.UnOp:
		if in.Op == token.MUL {
			return false
		}
	case *ssa.Store:
		if a.holds(in.Addr) {
			return false
		}
	}
	for _, op := range in.Operands(nil) {
		if *op != nil && a.has(*op) {
			return true
		}
	}
	return false
}
