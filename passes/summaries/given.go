package summaries

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// gift is a result of a function that may be what it has taken out of a queue.
type gift struct {
	result int
	field  int // of the struct that wraps it; whole when nothing does
	listed bool
}

const whole = -1

// gifts returns the results of a function of this package that give, on some path, what it has taken out of a queue, itself or by another
// such function.
func (r *Result) gifts(fn *ssa.Function) []gift {
	if r.sums[fn] == nil || r.ir.InTest(fn) {
		return nil
	}
	if out, ok := r.giving[fn]; ok {
		return out
	}
	r.giving[fn] = nil // while it is looked at, for a function that calls itself
	got := r.gotIn(fn)
	var out []gift
	if len(got) > 0 {
		for ret := range ssawalk.Returns(fn) {
			for i, v := range ret.Results {
				if g, ok := r.carries(v, got, 0); ok {
					g.result = i
					out = append(out, g)
				}
			}
		}
	}
	r.giving[fn] = out
	return out
}

// gotIn returns what fn takes, or is given by functions that take.
func (r *Result) gotIn(fn *ssa.Function) map[ssa.Value]gift {
	got := make(map[ssa.Value]gift)
	for _, t := range r.takenIn(fn) {
		if t.listed() || r.isQueue(t.from) {
			got[t.value] = gift{field: whole, listed: t.listed()}
		}
	}
	for c := range ssawalk.Calls(fn) {
		if call, ok := c.(*ssa.Call); ok {
			for _, g := range r.givenBy(call) {
				got[g.value] = g.gift
			}
		}
	}
	return got
}

// isQueue reports whether a channel is one that others put things into: kept in a component or a variable, handed in, or taken from
// another channel. What a function receives from a channel that it has made, or that stands in a request, is an answer to it, no item.
func (r *Result) isQueue(ch ssa.Value) bool {
	switch ch := ch.(type) {
	case *ssa.Global, *ssa.Lookup:
		return true
	case *ssa.Parameter:
		return !r.madeByCallers(ch)
	case *ssa.ChangeType:
		return r.isQueue(ch.X)
	case *ssa.Extract:
		switch ch.Tuple.(type) {
		case *ssa.Select, *ssa.Lookup, *ssa.UnOp, *ssa.Next:
			return true
		}
	case *ssa.UnOp:
		if ch.Op == token.ARROW {
			return true
		}
		fa, ok := ch.X.(*ssa.FieldAddr)
		if !ok {
			_, global := ch.X.(*ssa.Global)
			return global
		}
		return !inRequest(fa)
	}
	return false
}

// madeByCallers reports whether all callers give a channel that they have made for it. One made further out, for workers, is a queue.
func (r *Result) madeByCallers(ch *ssa.Parameter) bool {
	vals, all := r.argsFor(ch)
	return all && len(vals) > 0 && !slices.ContainsFunc(vals, func(v ssa.Value) bool {
		made, ok := ssawalk.Source(v).(*ssa.MakeChan)
		return !ok || made.Parent() != v.Parent()
	})
}

// inRequest reports whether a field is one of something made here, or that itself says until when it is of use: its channel is for the answer.
func inRequest(fa *ssa.FieldAddr) bool {
	switch x := fa.X.(type) {
	case *ssa.Alloc:
		return true
	case *ssa.Parameter:
		if fn := x.Parent(); fn.Signature.Recv() != nil && x == fn.Params[0] {
			return false // a component may have a context of its own
		}
	}
	return len(limitsOf(fa.X.Type())) > 0
}

// gotBy is a result of a call that has been taken out of a queue by what is called.
type gotBy struct {
	value ssa.Value
	gift
}

// givenBy returns the results of a call that are taken out of a queue by what it calls.
func (r *Result) givenBy(call *ssa.Call) []gotBy {
	var out []gotBy
	for _, fn := range r.bodies(&call.Call) {
		for _, g := range r.gifts(fn) {
			var v ssa.Value = call
			if call.Call.Signature().Results().Len() > 1 {
				v = extractOf(call, g.result)
			}
			if v != nil {
				out = append(out, gotBy{v, g})
			}
		}
	}
	return out
}

// bodies returns the functions of this package that a call runs, those behind an interface in sight among them.
func (r *Result) bodies(c *ssa.CallCommon) []*ssa.Function {
	targets, all := r.ctx.Targets(c)
	if !all {
		return nil
	}
	var out []*ssa.Function
	for _, t := range targets {
		if t.Fn != nil {
			out = append(out, t.Fn)
		} else if t.Obj != nil {
			_, in := r.impls.summary(r, t.Obj, nil)
			out = append(out, in...)
		}
	}
	return out
}

// carries reports whether v is, or wraps, one of the values got.
func (r *Result) carries(v ssa.Value, got map[ssa.Value]gift, depth int) (gift, bool) {
	if g, ok := got[v]; ok {
		return g, true
	}
	if depth > 6 {
		return gift{}, false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return r.carriesAny(v.Edges, got, depth)
	case *ssa.MakeInterface:
		return r.carries(v.X, got, depth+1)
	case *ssa.ChangeType:
		return r.carries(v.X, got, depth+1)
	case *ssa.TypeAssert:
		return r.carries(v.X, got, depth+1)
	case *ssa.Extract:
		if t, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 {
			return r.carries(t.X, got, depth+1)
		}
	case *ssa.Field:
		return r.carriesPart(v.X, v.Field, got, depth)
	case *ssa.UnOp:
		if v.Op != token.MUL {
			break
		}
		if fa, ok := v.X.(*ssa.FieldAddr); ok {
			return r.carriesPart(fa.X, fa.Field, got, depth)
		}
		return r.carries(v.X, got, depth+1)
	case *ssa.Alloc:
		for _, st := range r.storesTo(v) {
			if g, ok := r.carries(st.Val, got, depth+1); ok {
				return g, true
			}
		}
		return r.wraps(v, got, depth)
	}
	return gift{}, false
}

func (r *Result) carriesAny(vs []ssa.Value, got map[ssa.Value]gift, depth int) (gift, bool) {
	for _, v := range vs {
		if g, ok := r.carries(v, got, depth+1); ok {
			return g, true
		}
	}
	return gift{}, false
}

// carriesPart reports whether a field of a struct is, or is in, one of the values got: the struct is an entry that says where the item
// stands, or wraps it.
func (r *Result) carriesPart(of ssa.Value, field int, got map[ssa.Value]gift, depth int) (gift, bool) {
	g, ok := r.carries(of, got, depth+1)
	if ok && g.field != whole && g.field != field {
		return gift{}, false // what stands beside it
	}
	g.field = whole
	return g, ok
}

// wraps reports whether one of the values got is stored to a field of a struct made here.
func (r *Result) wraps(a *ssa.Alloc, got map[ssa.Value]gift, depth int) (gift, bool) {
	for _, ref := range *a.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, st := range *fa.Referrers() {
			st, ok := st.(*ssa.Store)
			if !ok || st.Addr != fa {
				continue
			}
			if g, ok := r.carries(st.Val, got, depth+1); ok && g.field == whole {
				g.field = fa.Field
				return g, true
			}
		}
	}
	return gift{}, false
}
