package summaries

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// uploads reports whether a call sends a request that is made here with a pipe for its body, or with something made from
// one, and whose writing end this function hands out or keeps: it lasts as long as whoever has that end pleases.
func (r *Result) uploads(t contexts.Target, row knowledge.Row) bool {
	req := t.At(row.Ctx)
	if req == nil || !typeset.IsRequest(req.Type()) {
		return false
	}
	made := r.madeBy(req)
	if made == nil || !calledIs(made, "net/http.NewRequest") && !calledIs(made, "net/http.NewRequestWithContext") {
		return false
	}
	args := made.Call.Args
	return r.fromPipe(args[len(args)-1], 0)
}

// madeBy returns the call that a value is a result of, or nil.
func (r *Result) madeBy(v ssa.Value) *ssa.Call {
	if load, ok := v.(*ssa.UnOp); ok {
		v = r.ctx.OnlyStored(load)
	}
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	c, _ := v.(*ssa.Call)
	return c
}

// fromPipe reports whether a reader is the reading end of a pipe, or made from one: a struct that holds it, what a function
// makes of it.
func (r *Result) fromPipe(v ssa.Value, depth int) bool {
	if v == nil || depth > 6 {
		return false
	}
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return r.fromPipe(v.X, depth+1)
	case *ssa.ChangeInterface:
		return r.fromPipe(v.X, depth+1)
	case *ssa.Extract:
		return r.fromPipe(v.Tuple, depth+1)
	case *ssa.UnOp:
		if a, ok := r.ctx.Variable(v.X).(*ssa.Alloc); ok && r.holdsPipe(a, depth) {
			return true // a struct by value
		}
		return r.fromPipe(r.ctx.OnlyStored(v), depth+1)
	case *ssa.Alloc:
		return r.holdsPipe(v, depth)
	case *ssa.Call:
		if calledIs(v, "io.Pipe") {
			return handedOut(v, 0)
		}
		for _, a := range v.Call.Args {
			if isReader(a.Type()) && r.fromPipe(a, depth+1) {
				return true
			}
		}
	}
	return false
}

// holdsPipe reports whether a field of the struct at a is set to a reader made from a pipe.
func (r *Result) holdsPipe(a *ssa.Alloc, depth int) bool {
	for _, ref := range *a.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, use := range *fa.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == fa && isReader(st.Val.Type()) && r.fromPipe(st.Val, depth+1) {
				return true
			}
		}
	}
	return false
}

// handedOut reports whether the writing end of a pipe, the result 1 of the call, is returned or kept.
func handedOut(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || depth > 6 {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Return, *ssa.Send, *ssa.MapUpdate:
			return true
		case *ssa.Store:
			a, local := ref.Addr.(*ssa.Alloc)
			if ref.Val == v && (!local || handedOut(a, depth+1)) {
				return true
			}
		case *ssa.Extract:
			if ref.Index == 1 && handedOut(ref, depth+1) {
				return true
			}
		case *ssa.MakeInterface, *ssa.UnOp, *ssa.Phi, *ssa.ChangeInterface:
			if handedOut(ref.(ssa.Value), depth+1) {
				return true
			}
		}
	}
	return false
}

// isReader reports whether a value of type t can be read from.
func isReader(t types.Type) bool { return typeset.Method(t, "Read") != nil }

// callsPipe reports whether fn makes a pipe, whose writer decides how long what reads it lasts.
func callsPipe(fn *ssa.Function) bool {
	found := false
	for c := range ssawalk.Calls(fn) {
		found = found || calledIs(c, "io.Pipe")
	}
	return found
}
