package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// concerns reports whether a call is given an item, something read from it, or what was made of that: a request, a message.
func (r *Result) concerns(c ssa.CallInstruction, it ssa.Value) bool {
	d := &derived{r: r, it: it, seen: make(map[ssa.Value]bool)}
	return d.call(c.Common())
}

// comesFrom reports whether a value is an item, something read from it, or what was made of that.
func (r *Result) comesFrom(v, it ssa.Value) bool {
	d := &derived{r: r, it: it, seen: make(map[ssa.Value]bool)}
	return d.from(v)
}

// derived finds out what comes from an item.
type derived struct {
	r    *Result
	it   ssa.Value
	seen map[ssa.Value]bool
}

// call reports whether something that a call is given comes from the item.
func (d *derived) call(c *ssa.CallCommon) bool {
	_, literal := c.Value.(*ssa.MakeClosure)
	if (literal || c.IsInvoke() || c.StaticCallee() == nil) && d.from(c.Value) {
		return true
	}
	return d.any(c.Args)
}

func (d *derived) any(vs []ssa.Value) bool {
	for _, v := range vs {
		if d.from(v) {
			return true
		}
	}
	return false
}

// from reports whether v is the item, or comes from it.
func (d *derived) from(v ssa.Value) bool {
	if v == d.it {
		return true
	}
	if v == nil || d.seen[v] {
		return false
	}
	d.seen[v] = true
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL && d.from(v.X)
	case *ssa.FieldAddr:
		return d.from(v.X)
	case *ssa.Field:
		return d.from(v.X)
	case *ssa.MakeInterface:
		return d.from(v.X)
	case *ssa.ChangeType:
		return d.from(v.X)
	case *ssa.Convert:
		return d.from(v.X)
	case *ssa.Slice:
		return d.from(v.X)
	case *ssa.MakeClosure:
		return d.any(v.Bindings)
	case *ssa.Phi:
		return d.any(v.Edges)
	case *ssa.Extract:
		c, ok := v.Tuple.(*ssa.Call)
		return ok && d.call(&c.Call)
	case *ssa.Call:
		return d.call(&v.Call)
	case *ssa.Alloc:
		return d.stored(v)
	}
	return false
}

// stored reports whether something that comes from the item is stored to a variable, or to a part of it.
func (d *derived) stored(a *ssa.Alloc) bool {
	for _, st := range d.r.storesTo(a) {
		if d.from(st.Val) {
			return true
		}
	}
	for _, ref := range *a.Referrers() {
		switch ref.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr:
			for _, use := range *ref.(ssa.Value).Referrers() {
				if st, ok := use.(*ssa.Store); ok && st.Addr == ref.(ssa.Value) && d.from(st.Val) {
					return true
				}
			}
		}
	}
	return false
}
