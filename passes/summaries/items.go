package summaries

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// item is something that a function takes from a channel or a queue.
type item struct {
	value ssa.Value
	limit []*types.Var // its fields that say until when it is of use: an instant, or a context
	by    *ssa.Call    // the call that gave it, of a function that may have looked; nil when it is taken here
	kept  bool         // it comes out of a heap, a list or a slice
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

// itemsIn returns what fn takes: by a receive, a select, a range over a channel, out of a heap, a list or a slice, or by a call of a
// function that does that, or whose name says so.
func (r *Result) itemsIn(fn *ssa.Function) []item {
	var out []item
	for _, t := range r.takenIn(fn) {
		for _, v := range asserted(t.value) {
			out = append(out, r.itemOf(v, gift{field: whole, listed: t.listed()}, nil))
		}
	}
	for c := range ssawalk.Calls(fn) {
		in, ok := c.(*ssa.Call)
		if !ok || in.Call.Signature().Results().Len() == 0 {
			continue
		}
		out = append(out, r.itemsBy(in)...)
	}
	return out
}

// itemsBy returns what a call takes out of a queue.
func (r *Result) itemsBy(c *ssa.Call) []item {
	var out []item
	for _, g := range r.givenBy(c) {
		for _, v := range asserted(g.value) {
			out = append(out, r.itemOf(v, g.gift, c))
		}
	}
	if len(out) == 0 && dequeues(calleeName(c)) {
		var v ssa.Value = c
		if c.Call.Signature().Results().Len() > 1 {
			v = extractOf(c, 0)
		}
		out = append(out, r.itemOf(v, gift{field: whole}, c))
	}
	return out
}

// asserted returns what a value is asserted to be, or itself.
func asserted(v ssa.Value) []ssa.Value {
	if v == nil || !types.IsInterface(v.Type()) {
		return []ssa.Value{v}
	}
	var out []ssa.Value
	for _, ref := range *v.Referrers() {
		ta, ok := ref.(*ssa.TypeAssert)
		switch {
		case !ok:
		case ta.CommaOk:
			out = append(out, extractOf(ta, 0))
		default:
			out = append(out, ta)
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

// itemOf returns the item that a value is, or wraps; none when it is of another package, which may look itself.
func (r *Result) itemOf(v ssa.Value, g gift, by *ssa.Call) item {
	if v == nil {
		return item{}
	}
	st, ok := typeset.Deref(v.Type()).Underlying().(*types.Struct)
	n := typeset.Named(v.Type())
	if !ok || n == nil || n.Obj().Pkg() != r.pass.Pkg {
		return item{}
	}
	t := v.Type()
	if g.field != whole && g.field < st.NumFields() {
		t = st.Field(g.field).Type()
	}
	it := item{value: v, by: by, kept: g.listed, limit: limitsOf(t)}
	if len(it.limit) == 0 && g.listed {
		it.limit = limitsOf(entryOf(st))
	}
	if (it.kept || by != nil && !dequeues(calleeName(by))) && typeset.Method(t, "Close") != nil {
		it.limit = nil // something that is lent out: a connection, a session
	}
	it.limit = slices.DeleteFunc(it.limit, func(f *types.Var) bool { return f.Pkg() != r.pass.Pkg || r.livesOn(f) })
	return it
}

// limitsOf returns the fields of a struct that say until when it is of use.
func limitsOf(t types.Type) []*types.Var {
	if t == nil {
		return nil
	}
	st, ok := typeset.Deref(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []*types.Var
	for f := range st.Fields() {
		f = f.Origin()
		if typeset.IsContext(f.Type()) || typeset.IsTime(f.Type()) && limits(f.Name()) {
			out = append(out, f)
		}
	}
	return out
}

// entryOf returns the struct that an entry of a heap or list holds, when what stands beside it is plain: a place, a number, an instant. Nil
// for any other.
func entryOf(st *types.Struct) types.Type {
	var inner types.Type
	for f := range st.Fields() {
		t := f.Type()
		if _, ok := t.Underlying().(*types.Basic); ok || typeset.IsTime(t) {
			continue
		}
		if inner != nil {
			return nil
		}
		inner = t
	}
	return inner
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
	look := &look{r: r, limit: append(flagsOf(it), it.limit...), seen: make(map[*ssa.Function]bool)}
	if look.reads(ssawalk.Outermost(fn)) || look.byGiver(it.by) || it.kept && look.tended() {
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
				name = r.perhapsWorks(c, it.value, 0)
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

// nameAt returns the variable of that type which stands in a call, as the source writes it, or the type's name.
func (r *Result) nameAt(c ssa.CallInstruction, t types.Type) string {
	if call, ok := r.calls[c.Common().Pos()]; ok {
		if name := variableOf(r.pass.TypesInfo, call, t); name != "" {
			return name
		}
	}
	return strings.ToLower(typeset.Named(t).Obj().Name())
}
