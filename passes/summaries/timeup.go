package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/loops"
)

// Who sets a limit on a call and asks if it failed because time was up means that limit: what is done then is done without time when it
// is done under the same context. It is not certain, since a shorter limit further down fails with the same error.

// timeUpIn returns the places in fn where an error says that the time of a context is up on which fn, or what runs it, has set a limit. None
// for a context that fn asks itself.
func (r *Result) timeUpIn(fn *ssa.Function) []end {
	var out []end
	for _, b := range fn.Blocks {
		if len(b.Preds) != 1 {
			continue
		}
		call := failedOf(timeUpOn(b.Preds[0], b))
		if call == nil {
			continue
		}
		ctx := r.onlyContext(fn, call)
		if ctx == nil || r.asksItself(fn, ctx) {
			continue // nobody can tell what the time was of; what the answer is leads elsewhere
		}
		if e := (end{ctx: ctx, in: b, perhaps: true}); r.ownLimit(&e) || r.limitedByRunner(fn, ctx) {
			out = append(out, e)
		}
	}
	return out
}

// timeUpOn returns the error that is context.DeadlineExceeded where one block goes on to another, or nil.
func timeUpOn(pred, b *ssa.BasicBlock) ssa.Value {
	in, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
	if !ok || pred.Succs[0] == pred.Succs[1] {
		return nil
	}
	switch cond, taken := loops.Plain(in.Cond, pred.Succs[0] == b); cond := cond.(type) {
	case *ssa.Call:
		if taken && calledIs(cond, "errors.Is") && isDeadlineExceeded(cond.Call.Args[1]) {
			return cond.Call.Args[0]
		}
	case *ssa.BinOp:
		if (cond.Op == token.EQL) == taken && isDeadlineExceeded(cond.Y) {
			return cond.X
		}
	}
	return nil
}

func isDeadlineExceeded(v ssa.Value) bool {
	return isEndVariable(v) && v.(*ssa.UnOp).X.Name() == "DeadlineExceeded"
}

// failedOf returns the call that an error is from, be it read from a variable where that call has kept it; or nil.
func failedOf(err ssa.Value) *ssa.Call {
	if call := failing(err); call != nil {
		return call
	}
	load, ok := err.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.X.Referrers() == nil {
		return nil
	}
	for _, ref := range *load.X.Referrers() {
		st, ok := ref.(*ssa.Store)
		if !ok || st.Addr != load.X {
			continue
		}
		if call := failing(st.Val); call != nil && (&way{call: call, err: st.Val, kept: load.X}).is(load) {
			return call
		}
	}
	return nil
}

// failing returns the call that gives a value as its error, or nil.
func failing(err ssa.Value) *ssa.Call {
	v := err
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok || errorOf(call) != err {
		return nil
	}
	return call
}

// onlyContext returns the context on which alone a call waits, without a limit of its own; or nil.
func (r *Result) onlyContext(fn *ssa.Function, call *ssa.Call) ssa.Value {
	waits := false
	for _, e := range r.effects(fn, call) {
		if e.Own || e.End != ByParam {
			return nil // its own time may be up
		}
		waits = true
	}
	if !waits {
		return nil
	}
	var ctx ssa.Value
	for _, a := range call.Call.Args {
		if !typeset.IsContext(a.Type()) {
			continue
		}
		if ctx != nil {
			return nil
		}
		ctx = a
	}
	return ctx
}

// asksItself reports whether fn asks a context somewhere if it is over.
func (r *Result) asksItself(fn *ssa.Function, ctx ssa.Value) bool {
	for in := range ssawalk.Instrs(fn) {
		call, ok := in.(*ssa.Call)
		if !ok || !isErrCall(call) && calleeName(call) != "Done" && calleeName(call) != "Deadline" {
			continue
		}
		if on := onContext(&call.Call); on != nil && r.held(on) == r.held(ctx) {
			return true
		}
	}
	return false
}

// limitedByRunner reports whether a context is the parameter of a literal that is only given to a function of the package which runs it
// under a context on which it has set a limit.
func (r *Result) limitedByRunner(fn *ssa.Function, ctx ssa.Value) bool {
	p, ok := r.held(ctx).(*ssa.Parameter)
	if !ok || p.Parent() != fn || fn.Parent() == nil {
		return false
	}
	limited := false
	for _, lit := range closures(fn) {
		for _, ref := range *lit.Referrers() {
			if _, debug := ref.(*ssa.DebugRef); debug {
				continue
			}
			call, ok := ref.(*ssa.Call)
			if !ok || !r.runsLimited(call, lit, paramIndex(fn, p)) {
				return false
			}
			limited = true
		}
	}
	return limited
}

// runsLimited reports whether a function that is given another runs it under a context, as its argument of that number, on which it has set
// a limit.
func (r *Result) runsLimited(c *ssa.Call, given ssa.Value, number int) bool {
	targets, all := r.ctx.Targets(&c.Call)
	if !all || len(targets) != 1 || targets[0].Fn == nil || r.sums[targets[0].Fn] == nil {
		return false
	}
	t, limited := targets[0], false
	for _, pc := range r.sums[t.Fn].funcs {
		if i := paramIndex(t.Fn, pc.param); i < 0 || i >= len(t.Args) || t.Args[i] != given {
			continue
		}
		if number >= len(pc.args) || len(pc.args[number]) == 0 {
			return false
		}
		for _, o := range pc.args[number] {
			if !o.Bound.Own {
				return false
			}
		}
		limited = true
	}
	return limited
}
