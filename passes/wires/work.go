package wires

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// work follows a message, and what is read from it, to the calls that are given them.
type work struct {
	p     *program
	seen  map[ssa.Value]bool
	sites map[*ssa.Function]ssa.Instruction // of a function that is followed into: the instruction that leads there
	calls []ssa.CallInstruction             // calls that wait and are given a part of the message, in the order in which they are found
	given []ssa.CallInstruction             // calls out of sight that are given the whole, and may look at its deadline
	lost  bool                              // it is kept, returned or sent on
}

// first returns the first call that waits for the sake of the message, when surely nobody has looked at its deadline before; else
// nil.
func (w *work) first() ssa.CallInstruction {
	if w.lost || len(w.calls) == 0 {
		return nil
	}
	call := w.calls[0]
	for _, g := range w.given {
		if !w.after(g, call) {
			return nil
		}
	}
	return call
}

// after reports whether a call surely comes after another: in its function, or in one on the way to it.
func (w *work) after(late, early ssa.CallInstruction) bool {
	var at ssa.Instruction = early
	for at != nil {
		if at.Parent() == late.Parent() {
			return ssawalk.Before(at, late)
		}
		at = w.sites[at.Parent()]
	}
	return false
}

// whole follows a value that is the message, or its address.
func (w *work) whole(v ssa.Value) { w.follow(v, true) }

func (w *work) follow(v ssa.Value, whole bool) {
	if w.seen[v] || w.lost || v.Referrers() == nil {
		return
	}
	w.seen[v] = true
	for _, ref := range *v.Referrers() {
		w.use(v, ref, whole)
	}
}

func (w *work) use(v ssa.Value, ref ssa.Instruction, whole bool) {
	switch ref := ref.(type) {
	case *ssa.FieldAddr, *ssa.Field:
		w.follow(ref.(ssa.Value), false)
	case *ssa.UnOp, *ssa.Phi, *ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert:
		w.follow(ref.(ssa.Value), whole)
	case *ssa.Convert, *ssa.Slice, *ssa.Index, *ssa.IndexAddr, *ssa.Lookup, *ssa.Extract, *ssa.Range, *ssa.Next:
		w.follow(ref.(ssa.Value), whole)
	case *ssa.MakeClosure:
		if fv := ssawalk.FreeVar(ref, v); fv != nil {
			w.enter(ref.Fn.(*ssa.Function), ref)
			w.follow(fv, whole)
		}
	case *ssa.Store:
		w.store(v, ref, whole)
	case ssa.CallInstruction:
		w.call(v, ref, whole)
	case *ssa.Send, *ssa.Return, *ssa.MapUpdate:
		w.lost = w.lost || whole
	}
}

func (w *work) enter(fn *ssa.Function, by ssa.Instruction) {
	if w.sites[fn] == nil {
		w.sites[fn] = by
	}
}

// store is a message kept in a variable, which is followed, or elsewhere.
func (w *work) store(v ssa.Value, st *ssa.Store, whole bool) {
	if st.Addr == v {
		return // something is put into it
	}
	switch addr := st.Addr.(type) {
	case *ssa.Alloc:
		w.follow(addr, whole)
	case *ssa.IndexAddr:
		if a, ok := addr.X.(*ssa.Alloc); ok {
			w.follow(a, whole) // among the arguments of a variadic call
			return
		}
		w.lost = w.lost || whole
	case *ssa.FieldAddr:
		if a, ok := addr.X.(*ssa.Alloc); ok && !whole {
			w.follow(a, false)
			return
		}
		w.lost = w.lost || whole
	default:
		w.lost = w.lost || whole
	}
}

func (w *work) call(v ssa.Value, c ssa.CallInstruction, whole bool) {
	t, name := w.p.target(c)
	if _, ok := c.Common().Value.(*ssa.Builtin); ok {
		w.lost = w.lost || whole // appended to a list
		return
	}
	if t.Fn != nil && len(t.Fn.Blocks) > 0 {
		for i, a := range t.Args {
			if a == v && i < len(t.Fn.Params) {
				w.enter(t.Fn, c)
				w.follow(t.Fn.Params[i], whole)
			}
		}
		return
	}
	if telling.MatchString(name) || t.Obj != nil && decoders.MatchString(t.Obj.Name()) {
		return
	}
	if whole {
		w.given = append(w.given, c)
		return
	}
	if w.p.waits(c) {
		w.calls = append(w.calls, c)
	}
}
