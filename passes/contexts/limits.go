package contexts

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// Limit says what bound a client, connection or dialer puts on every call made through it, by its construction.
type Limit uint8

const (
	LimitUnknown Limit = iota // made out of sight, in code that could bound it
	LimitNone                 // made in sight, without a bound
	LimitOwn                  // made in sight, with a bound
)

func (l Limit) String() string { return [...]string{"unknown", "have no bound", "are bounded"}[l] }

// Limit returns the bound that the client, connection or dialer v puts on a call; fields are those that the knowledge tables
// name as bounds of the call.
func (r *Result) Limit(v ssa.Value, fields []string) Limit {
	if v == nil {
		return LimitUnknown
	}
	if l, ok := r.limits[v]; ok {
		return l
	}
	r.limits[v] = LimitUnknown // a cycle tells nothing
	l := r.limit(v, fields)
	r.limits[v] = l
	return l
}

func (r *Result) limit(v ssa.Value, fields []string) Limit {
	switch v := v.(type) {
	case *ssa.Const:
		if _, ok := v.Type().Underlying().(*types.Struct); ok {
			return LimitNone // the zero value
		}
	case *ssa.Parameter:
		return r.givenLimit(v, fields)
	case *ssa.Alloc:
		return r.madeLimit(v, fields)
	case *ssa.Global:
		return r.globalLimit(v, fields)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return r.loadedLimit(v, fields)
		}
	case *ssa.FieldAddr:
		return r.fieldLimit(v, fields)
	case *ssa.FreeVar:
		if b, ok := r.stores.bindings[v]; ok {
			return r.Limit(b, fields)
		}
	case *ssa.Phi:
		return r.joinLimits(v.Edges, fields)
	case *ssa.MakeInterface:
		return r.Limit(v.X, fields)
	case *ssa.ChangeInterface:
		return r.Limit(v.X, fields)
	case *ssa.ChangeType:
		return r.Limit(v.X, fields)
	case *ssa.TypeAssert:
		return r.Limit(v.X, fields)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return r.callLimit(c, v.Index, fields)
		}
	case *ssa.Call:
		return r.callLimit(v, 0, fields)
	}
	return LimitUnknown
}

// joinLimits is unknown unless all agree: what is bounded on one path only may be bounded on all that matter, and on none.
func (r *Result) joinLimits(vals []ssa.Value, fields []string) Limit {
	var out Limit
	for i, x := range vals {
		l := r.Limit(x, fields)
		if i > 0 && l != out {
			return LimitUnknown
		}
		out = l
	}
	return out
}

func (r *Result) limitOf(vals []ssa.Value) Limit { return r.joinLimits(vals, nil) }

// globalLimit is a package variable: http.DefaultClient has none, one of ours has what is stored to it.
func (r *Result) globalLimit(g *ssa.Global, fields []string) Limit {
	if g.Pkg != r.pkg {
		if isDefault(g) && g.Name() == "DefaultClient" {
			return r.DefaultLimit()
		}
		return LimitUnknown
	}
	if stored := r.stores.vars[g]; len(stored) > 0 {
		return r.keptLimit(g, stored, fields)
	}
	return r.variableLimit(g, fields)
}

// variableLimit is a package variable of struct type, whose fields may be set anywhere in the package.
func (r *Result) variableLimit(g *ssa.Global, fields []string) Limit {
	st, ok := typeset.Deref(g.Type()).Underlying().(*types.Struct)
	if !ok {
		return LimitUnknown
	}
	for f := range st.Fields() {
		if bounds(f, fields) && len(r.stores.fields[f.Origin()]) > 0 {
			return LimitOwn
		}
	}
	return LimitNone
}

func (r *Result) loadedLimit(v *ssa.UnOp, fields []string) Limit {
	addr := r.stores.variable(v.X)
	if fa, ok := addr.(*ssa.FieldAddr); ok {
		return r.fieldLimit(fa, fields)
	}
	return r.Limit(addr, fields)
}

// fieldLimit is a client kept in a field: by all that is stored to it, or, of a struct's own value, by its fields.
func (r *Result) fieldLimit(fa *ssa.FieldAddr, fields []string) Limit {
	f := fieldOf(fa)
	if stored := r.stores.fields[f]; len(stored) > 0 {
		return r.keptLimit(f, stored, fields)
	}
	fact := new(holds)
	if f.Pkg() != r.pass.Pkg && r.pass.ImportObjectFact(f, fact) {
		return fact.Limit
	}
	if st, ok := f.Type().Underlying().(*types.Struct); ok {
		return r.valueLimit(st, fields)
	}
	return LimitUnknown
}

// keptLimit is a client of which a field or variable keeps the address: by what is stored there, and what is set on it afterwards.
func (r *Result) keptLimit(kept any, stored []ssa.Value, fields []string) Limit {
	l := r.joinLimits(stored, fields)
	if l == LimitNone {
		l = r.setLater(kept, fields)
	}
	return l
}

// valueLimit is a client kept by value in a field that is never stored whole: its own fields may be set anywhere.
func (r *Result) valueLimit(st *types.Struct, fields []string) Limit {
	for f := range st.Fields() {
		if bounds(f, fields) && len(r.stores.fields[f.Origin()]) > 0 {
			return LimitOwn
		}
	}
	return LimitUnknown
}

// callLimit is a client that a call returns.
func (r *Result) callLimit(c *ssa.Call, index int, fields []string) Limit {
	targets, ok := r.Targets(&c.Call)
	if !ok || len(targets) != 1 {
		return LimitUnknown
	}
	t := targets[0]
	if t.Fn != nil {
		return r.returnedLimit(t.Fn, index)
	}
	if t.Obj == nil {
		return LimitUnknown
	}
	fact := new(returns)
	if t.Obj.Pkg() != r.pass.Pkg && r.pass.ImportObjectFact(t.Obj, fact) {
		for _, x := range fact.Results {
			if x.Index == index && x.Limit != LimitUnknown {
				return x.Limit
			}
		}
	}
	if l, ok := r.tableLimit(t, fields); ok {
		return l
	}
	return r.foreignLimit(t, fields)
}

// returnedLimit joins what fn returns as that result.
func (r *Result) returnedLimit(fn *ssa.Function, index int) Limit {
	if index >= fn.Signature.Results().Len() || !r.isClient(fn.Signature.Results().At(index).Type()) {
		return LimitUnknown
	}
	var vals []ssa.Value
	for in := range ssawalk.Instrs(fn) {
		if ret, ok := in.(*ssa.Return); ok && index < len(ret.Results) {
			if c, isConst := ret.Results[index].(*ssa.Const); !isConst || !c.IsNil() {
				vals = append(vals, ret.Results[index])
			}
		}
	}
	return r.joinLimits(vals, nil)
}
