package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/loops"
)

// judgeRequeue judges work that goes back into its queue when it fails: a function kept in an item that fn takes from a
// channel. Where the function was made for a context, and neither an instant nor a count in the item says how long that goes
// on, it is repeated when nobody wants it any more.
func (r *Result) judgeRequeue(c *court, fn *ssa.Function) {
	taken := r.takenTypes(fn)
	if len(taken) == 0 {
		return
	}
	for in := range ssawalk.Instrs(fn) {
		call, ok := in.(*ssa.Call)
		if !ok || !typeset.ReturnsError(call.Call.Signature()) {
			continue
		}
		f, of := ssawalk.Field(call.Call.Value)
		if f == nil || !taken[typeset.Named(of.Type())] || endsByItself(of.Type()) {
			continue // no function of an item; the item says until when, or how often
		}
		if !queuedAgain(call, of) {
			continue
		}
		if name := r.madeFor(call); name != "" {
			w := Wait{Name: f.Name(), Src: call.Call.Pos(), In: fn}
			v := r.verdict("stalework", "requeue", w, f.Name(), nil)
			v.Ctx = name
			c.add(v)
		}
	}
}

// takenTypes returns the struct types of this package that fn receives from channels.
func (r *Result) takenTypes(fn *ssa.Function) map[*types.Named]bool {
	out := make(map[*types.Named]bool)
	for _, it := range r.itemsIn(fn) {
		if it.value != nil {
			out[typeset.Named(it.value.Type())] = true
		}
	}
	return out
}

// endsByItself reports whether an item has an instant, a length of time, a context or a count.
func endsByItself(t types.Type) bool {
	st, ok := typeset.Deref(t).Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for f := range st.Fields() {
		if b, ok := f.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			return true // also a duration
		}
		if typeset.IsTime(f.Type()) || typeset.IsContext(f.Type()) {
			return true
		}
	}
	return false
}

// queuedAgain reports whether the item, where the call has failed, is put into a list or sent on a channel.
func queuedAgain(call *ssa.Call, of ssa.Value) bool {
	for _, b := range call.Parent().Blocks {
		in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		err, whenNil := loops.NilTest(in.Cond)
		if err != errorOf(call) || err == nil {
			continue
		}
		failed := b.Succs[0]
		if whenNil {
			failed = b.Succs[1]
		}
		if putsBack(failed, of, make(map[*ssa.BasicBlock]bool)) {
			return true
		}
	}
	return false
}

// putsBack reports whether a block, or one that only it leads to, puts a value into a list or sends it.
func putsBack(b *ssa.BasicBlock, v ssa.Value, seen map[*ssa.BasicBlock]bool) bool {
	if seen[b] {
		return false
	}
	seen[b] = true
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.Store:
			if in.Val == v && varargs(in) {
				return true
			}
		case *ssa.Send:
			if in.X == v {
				return true
			}
		}
	}
	for _, s := range b.Succs {
		if b.Dominates(s) && putsBack(s, v, seen) {
			return true
		}
	}
	return false
}

// madeFor returns the context that was in reach where the function called was made, when it does not hear that itself.
func (r *Result) madeFor(call *ssa.Call) string {
	for _, t := range r.ctx.Funcs(call.Call.Value) {
		if t.Fn == nil || t.Fn.Parent() == nil || r.sums[t.Fn] == nil {
			continue
		}
		for _, w := range r.sums[t.Fn].waits.sorted() {
			if w.End == ByParam {
				return "" // it fails at once when that is over
			}
		}
		if reach := r.reach(t.Fn.Parent()); len(reach) > 0 {
			return reach[0].Expr
		}
	}
	return ""
}
