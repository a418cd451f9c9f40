package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/loops"
)

// A context is certainly over behind a receive from its Done, where its Err is not nil, behind a call of its cancel, and
// behind the Wait of the group that it was made with. What is derived from it is over too, but for WithoutCancel.

// judgeEnded judges the calls of fn that wait on a context which is certainly over: they fail before they begin.
func (r *Result) judgeEnded(c *court, fn *ssa.Function) {
	if r.entries.TestCode(fn) {
		return // a test tries just that
	}
	ends := append(r.endsIn(fn), r.timeUpIn(fn)...)
	if len(ends) == 0 && fn.Parent() == nil {
		return
	}
	for call := range ssawalk.Calls(fn) {
		if _, later := call.(*ssa.Defer); later {
			continue // it runs at the end, whatever stands before it
		}
		for _, a := range call.Common().Args {
			if !typeset.IsContext(a.Type()) {
				continue
			}
			e := r.overBefore(ends, a, call)
			if e == nil {
				e = r.overWhenMade(fn, a)
			}
			if e != nil {
				r.addEnded(c, fn, call, a, e)
			}
		}
	}
}

// addEnded enters the verdict on a call under a context that is over, when the call waits on it. What stands behind an interface may
// only compute, and be told on purpose that its caller has gone; but nobody means to hand on the context of a group that is done with, nor
// the end of a limit that the function has set itself, nor to set a limit on what is over.
func (r *Result) addEnded(c *court, fn *ssa.Function, call ssa.CallInstruction, ctx ssa.Value, by *end) {
	for _, e := range r.effects(fn, call) {
		if e.End != ByParam || e.Pause || e.Hidden && (told(e.Name) || !r.wantsTime(by, ctx, e)) {
			continue // it does not hear the context; perhaps it only computes
		}
		w := e.Wait
		w.Src, w.In = call.Common().Pos(), fn
		kind := "ended"
		switch {
		case by.perhaps:
			kind = "fallback"
		case r.explained(w.Src):
			kind = "spelled"
		}
		v := r.verdict("stalework", kind, w, e.Name, nil)
		v.Ctx = r.spelled(ctx)
		if name := r.written(call, ctx); name != "" {
			v.Ctx = name
		}
		c.add(v)
		return
	}
}

// spelled is how a reader would type a context: its parameter's name, or "its context".
func (r *Result) spelled(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.UnOp:
		switch a := r.ctx.Variable(v.X).(type) {
		case *ssa.Alloc:
			if a.Comment != "" {
				return a.Comment
			}
		case *ssa.FieldAddr:
			return contexts.FieldOf(a).Name()
		}
	}
	return "its context"
}

// end is a place at which a context has ended.
type end struct {
	ctx ssa.Value       // the context
	at  ssa.Instruction // behind it, in its block and what that dominates; nil when the block itself is behind
	in  *ssa.BasicBlock

	perhaps bool // an error says so, which may be that of another limit
}

// ofGroup reports whether it is the Wait of a group that the context was made with.
func (e *end) ofGroup() bool {
	call, ok := e.at.(*ssa.Call)
	return ok && calledIs(call, groupWait)
}

const groupWait = "(*golang.org/x/sync/errgroup.Group).Wait"

// endsIn returns the places in fn behind which some context is over.
func (r *Result) endsIn(fn *ssa.Function) []end {
	var out []end
	if ctx := r.runsAfter(fn); ctx != nil {
		out = append(out, end{ctx: ctx, in: fn.Blocks[0]})
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if ctx := r.endedBy(in); ctx != nil {
				out = append(out, end{ctx: ctx, at: in, in: b})
			}
		}
		if len(b.Preds) == 1 {
			if ctx := r.overOn(b.Preds[0], b); ctx != nil {
				out = append(out, end{ctx: ctx, in: b})
			}
		}
	}
	return out
}

// endedBy returns the context that is over behind an instruction, or nil.
func (r *Result) endedBy(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			return doneOf(in.X)
		}
	case *ssa.Call:
		if calledIs(in, groupWait) {
			return r.groupContext(in.Call.Args[0])
		}
		if x, ok := in.Call.Value.(*ssa.Extract); ok && x.Index == 1 && isCancelFunc(x.Type()) {
			return usedBefore(extractOf(x.Tuple, 0), in)
		}
		return r.overAfter(in, false)
	}
	return nil
}

// usedBefore returns a context when something may use it before its cancel is called; one that nothing uses is made to be over,
// for a last call that is not to wait.
func usedBefore(ctx ssa.Value, cancel ssa.Instruction) ssa.Value {
	if ctx == nil {
		return nil
	}
	for _, ref := range *ctx.Referrers() {
		if ssawalk.MayFollow(ref, cancel) {
			return ctx
		}
	}
	return nil
}

// doneOf returns the context whose Done a channel is, or nil.
func doneOf(ch ssa.Value) ssa.Value {
	if ct, ok := ch.(*ssa.ChangeType); ok {
		ch = ct.X
	}
	if !loops.IsDone(ch) {
		return nil
	}
	return onContext(&ch.(*ssa.Call).Call)
}

// onContext returns the context or carrier that a method is called on, or that a function is given first; nil for neither.
func onContext(c *ssa.CallCommon) ssa.Value {
	switch {
	case c.IsInvoke():
		return c.Value
	case len(c.Args) > 0:
		return c.Args[0]
	}
	return nil
}

// groupContext returns the context that errgroup.WithContext gave beside the group g, or nil.
func (r *Result) groupContext(g ssa.Value) ssa.Value {
	if load, ok := g.(*ssa.UnOp); ok {
		g = r.ctx.OnlyStored(load)
	}
	x, ok := g.(*ssa.Extract)
	if !ok {
		return nil
	}
	made, ok := x.Tuple.(*ssa.Call)
	if !ok || !calledIs(made, "golang.org/x/sync/errgroup.WithContext") {
		return nil
	}
	return extractOf(made, 1)
}

func extractOf(tuple ssa.Value, index int) ssa.Value {
	for _, ref := range *tuple.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == index {
			return x
		}
	}
	return nil
}

// overBefore returns the place before an instruction at which the context v, or what it is derived from, has certainly ended, or nil.
func (r *Result) overBefore(ends []end, v ssa.Value, in ssa.Instruction) *end {
	for range 6 {
		for i, e := range ends {
			if e.before(in) && r.sameContext(e, v, in) {
				return &ends[i]
			}
		}
		if v = r.parent(v); v == nil {
			return nil
		}
	}
	return nil
}

// before reports whether the place lies before an instruction on every path.
func (e end) before(in ssa.Instruction) bool {
	switch {
	case e.in != in.Block():
		return e.in.Dominates(in.Block())
	case e.at == nil:
		return true
	}
	return indexIn(e.in, e.at) < indexIn(e.in, in)
}

// parent returns the context that v is derived from, keeping its end, or nil.
func (r *Result) parent(v ssa.Value) ssa.Value {
	v = r.held(v)
	x, index := v, 0
	if e, ok := v.(*ssa.Extract); ok {
		x, index = e.Tuple, e.Index
	}
	c, ok := x.(*ssa.Call)
	if !ok {
		return nil
	}
	targets, _ := r.ctx.Targets(&c.Call)
	if len(targets) != 1 {
		return nil
	}
	row, ok := r.ctx.Row(targets[0].Obj)
	if !ok || row.Verb != knowledge.Derives || row.Result != index {
		return nil
	}
	return targets[0].At(row.Ctx)
}
