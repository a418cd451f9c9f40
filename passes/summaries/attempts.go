package summaries

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/passes/loops"
)

// judgeAttempts judges how the attempts of a loop get their contexts: a timeout derived from that of the attempt before leaves
// each less time than the last, and a cancel deferred to the function's end keeps them all until then.
func (r *Result) judgeAttempts(c *court, fn *ssa.Function, l *loops.Loop) {
	for _, b := range l.Blocks() {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || r.loops.Around(call) != l || !r.caps(call) {
				continue
			}
			w := Wait{Name: r.nameOf(call), Src: call.Call.Pos(), In: fn}
			if r.derivedFrom(call.Call.Args[0], call, l, 0) {
				c.add(r.verdict("blindretry", "attempt", w, loopName(l), r.reach(fn)))
			}
			if d := deferredIn(call, l); d != nil && l.Retries() {
				w.Src = d.Call.Pos() // apart from what else may be said of the timeout
				c.add(r.verdict("blindretry", "cancel", w, loopName(l), r.reach(fn)))
			}
		}
	}
}

// caps reports whether a call puts a timeout or deadline on a context.
func (r *Result) caps(call *ssa.Call) bool {
	targets, _ := r.ctx.Targets(&call.Call)
	if len(targets) != 1 {
		return false
	}
	row, ok := r.ctx.Row(targets[0].Obj)
	return ok && row.Verb == knowledge.Derives && (row.Within.IsSet() || row.Until.IsSet()) && len(call.Call.Args) > 0
}

// derivedFrom reports whether the context v, in some round, is what the call gave in the round before.
func (r *Result) derivedFrom(v ssa.Value, call *ssa.Call, l *loops.Loop, depth int) bool {
	if depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		if v.Block() != l.Head {
			return false
		}
		for i, e := range v.Edges {
			if l.Has(v.Block().Preds[i]) && resultOf(e, call, 0) {
				return true
			}
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return r.keptFrom(v, call, l)
		}
	case *ssa.Extract:
		if from, ok := v.Tuple.(*ssa.Call); ok && from != call && len(from.Call.Args) > 0 && l.Has(from.Block()) {
			return r.derivedFrom(from.Call.Args[0], call, l, depth+1)
		}
	}
	return false
}

// keptFrom reports whether a variable made outside the loop is read, and holds what the call gave: nothing else is stored to
// it in the loop.
func (r *Result) keptFrom(load *ssa.UnOp, call *ssa.Call, l *loops.Loop) bool {
	a, ok := load.X.(*ssa.Alloc)
	if !ok || l.Has(a.Block()) {
		return false
	}
	kept := false
	for _, ref := range *a.Referrers() {
		st, ok := ref.(*ssa.Store)
		if !ok || st.Addr != a || !l.Has(st.Block()) {
			continue
		}
		if !resultOf(st.Val, call, 0) {
			return false // set anew in each round
		}
		kept = true
	}
	return kept
}

// resultOf reports whether v is the context that a call gave, on some path.
func resultOf(v ssa.Value, call *ssa.Call, depth int) bool {
	switch v := v.(type) {
	case *ssa.Extract:
		return v.Index == 0 && v.Tuple == ssa.Value(call)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if depth < 3 && resultOf(e, call, depth+1) {
				return true
			}
		}
	}
	return false
}

// deferredIn returns the defer, in the loop, of the cancel that a call gives, or nil.
func deferredIn(call *ssa.Call, l *loops.Loop) *ssa.Defer {
	for _, ref := range *call.Referrers() {
		x, ok := ref.(*ssa.Extract)
		if !ok || x.Index != 1 {
			continue
		}
		for _, use := range *x.Referrers() {
			if d, ok := use.(*ssa.Defer); ok && d.Call.Value == ssa.Value(x) && l.Has(d.Block()) {
				return d
			}
		}
	}
	return nil
}
