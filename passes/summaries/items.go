package summaries

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// item is something that a function takes from a channel or a queue.
type item struct {
	value ssa.Value
	limit []*types.Var // its fields that say until when it is of use: an instant, or a context
}

// judgeItems judges the work of fn on what it takes from channels and queues: one that has a deadline of its own is looked at
// before the work begins, since it may have waited for long.
func (r *Result) judgeItems(c *court, fn *ssa.Function) {
	if r.entries.TestCode(fn) {
		return
	}
	for _, it := range r.itemsIn(fn) {
		if len(it.limit) == 0 {
			continue // it carries no deadline
		}
		if call, name := r.unlooked(fn, it); call != nil {
			w := Wait{Name: name, Src: call.Common().Pos(), In: fn}
			v := r.verdict("stalework", "item", w, r.nameAt(call, it.value.Type()), nil)
			c.add(v)
		}
	}
	r.judgeRequeue(c, fn)
}

// itemsIn returns what fn takes: by a receive, a select, a range over a channel, or a call whose name says so.
func (r *Result) itemsIn(fn *ssa.Function) []item {
	var out []item
	for in := range ssawalk.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.UnOp:
			if in.Op != token.ARROW {
				continue
			}
			var v ssa.Value = in
			if in.CommaOk {
				v = extractOf(in, 0)
			}
			out = append(out, r.itemOf(v))
		case *ssa.Select:
			n := 2
			for _, s := range in.States {
				if s.Dir == types.RecvOnly {
					out = append(out, r.itemOf(extractOf(in, n)))
					n++
				}
			}
		case *ssa.Call:
			if dequeues(calleeName(in)) && in.Call.Signature().Results().Len() > 0 {
				var v ssa.Value = in
				if in.Call.Signature().Results().Len() > 1 {
					v = extractOf(in, 0)
				}
				out = append(out, r.itemOf(v))
			}
		}
	}
	return out
}

// dequeues reports whether a function's name says that it takes something from a queue.
func dequeues(name string) bool {
	for _, w := range [...]string{"pop", "dequeue", "take", "shift"} {
		if beginsWith(name, w) {
			return true
		}
	}
	return false
}

func (r *Result) itemOf(v ssa.Value) item {
	if v == nil {
		return item{}
	}
	st, ok := typeset.Deref(v.Type()).Underlying().(*types.Struct)
	n := typeset.Named(v.Type())
	if !ok || n == nil || n.Obj().Pkg() != r.pass.Pkg {
		return item{} // of another package, which may look itself
	}
	it := item{value: v}
	for f := range st.Fields() {
		f = f.Origin()
		switch {
		case typeset.IsContext(f.Type()), typeset.IsTime(f.Type()) && limits(f.Name()):
			it.limit = append(it.limit, f)
		}
	}
	return it
}

// limits reports whether a field's name says that its instant is the last at which the whole is of use.
func limits(name string) bool {
	low := strings.ToLower(name)
	for _, w := range [...]string{"deadline", "expir", "until", "notafter", "giveup"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// unlooked returns the first call of fn that works on an item and waits, and what for, when neither fn nor what it gives the
// item to reads the item's deadline. Nil when somebody looks, or somebody may.
func (r *Result) unlooked(fn *ssa.Function, it item) (ssa.CallInstruction, string) {
	look := &look{r: r, limit: it.limit, seen: make(map[*ssa.Function]bool)}
	if look.reads(ssawalk.Outermost(fn)) {
		return nil, ""
	}
	var first ssa.CallInstruction
	name := ""
	dead := r.neverRead(it)
	for c := range ssawalk.Calls(fn) {
		if !r.concerns(c, it.value) {
			continue
		}
		if look.mayIn(c) {
			return nil, ""
		}
		if first == nil {
			if name = r.works(fn, c, 0); name == "" && dead {
				name = r.perhapsWorks(c)
			}
			if name != "" {
				first = c
			}
		}
	}
	return first, name
}

// works returns what a call waits for, under whatever context, in it or in a function of this package that it calls; "" when
// it takes no time.
func (r *Result) works(fn *ssa.Function, c ssa.CallInstruction, depth int) string {
	for _, e := range r.effects(fn, c) {
		if !e.Pause && !e.Cleanup && !e.Meant {
			return e.Name
		}
	}
	callee := c.Common().StaticCallee()
	if callee == nil || r.sums[callee] == nil || depth > 3 {
		return ""
	}
	for inner := range ssawalk.Calls(callee) {
		if name := r.works(callee, inner, depth+1); name != "" {
			return name
		}
	}
	return ""
}

// concerns reports whether a call is given an item, or something read from it.
func (r *Result) concerns(c ssa.CallInstruction, it ssa.Value) bool {
	args := c.Common().Args
	if c.Common().IsInvoke() || c.Common().StaticCallee() == nil {
		args = append([]ssa.Value{c.Common().Value}, args...)
	}
	for _, a := range args {
		if r.from(a, it, 0) {
			return true
		}
	}
	return false
}

// from reports whether v is an item, or read from it.
func (r *Result) from(v, it ssa.Value, depth int) bool {
	if v == it {
		return true
	}
	if depth > 5 {
		return false
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return r.from(v.X, it, depth+1)
		}
	case *ssa.FieldAddr:
		return r.from(v.X, it, depth+1)
	case *ssa.Field:
		return r.from(v.X, it, depth+1)
	case *ssa.MakeInterface:
		return r.from(v.X, it, depth+1)
	case *ssa.MakeClosure:
		for _, b := range v.Bindings {
			if r.from(b, it, depth+1) {
				return true
			}
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if r.from(e, it, depth+1) {
				return true
			}
		}
	case *ssa.Alloc:
		for _, st := range r.storesTo(v) {
			if r.from(st.Val, it, depth+1) {
				return true
			}
		}
	}
	return false
}

// nameAt returns the variable of that type which stands in a call, as the source writes it, or the type's name.
func (r *Result) nameAt(c ssa.CallInstruction, t types.Type) string {
	if call, ok := r.calls[c.Common().Pos()]; ok {
		if name := variableOf(r.pass.TypesInfo, call, t); name != "" {
			return name
		}
	}
	return strings.ToLower(typeset.Named(t).Obj().Name())
}
