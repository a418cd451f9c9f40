package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

func (r *Result) structField(v *ssa.Field) (Set, int) {
	st := v.X.Type().Underlying().(*types.Struct)
	return r.field(st.Field(v.Field).Origin(), v.X)
}

// field is what is stored to a field in sight; of a carrier's own fields, what the carrier brings.
func (r *Result) field(f *types.Var, x ssa.Value) (Set, int) {
	if !r.Carries(f.Type()) && !r.bindable(f.Type()) && !typeset.ImplementsContext(f.Type()) {
		return unknown, noCycle
	}
	if r.Carries(x.Type()) && !typeset.IsContext(f.Type()) {
		return r.origins(x) // c.Request
	}
	stored := r.stores.fields[f]
	if len(stored) == 0 {
		if r.Carries(x.Type()) {
			return r.origins(x) // the context field of a carrier that the tables know
		}
		if r.bindable(f.Type()) {
			return Set{r.unbound(f.Type())}, noCycle // a session that a component keeps is bound to no request
		}
		return r.importedField(f), noCycle
	}
	s, low := r.join(stored, nil)
	if s = s.Map(func(o Origin) Origin { return keptIn(o, f) }); s.Any(Origin.Inherited) {
		s = filter(s, func(o Origin) bool { return o.Kind != Root || o.Bound.Own }) // a default that a caller's own replaces
	}
	if r.boundsItself(f, stored) {
		s = s.Bounded(Bound{Own: true})
	}
	return s, low
}

// embeddedBy is a struct with an embedded context that a function of this package hands out: what the package stores there.
func (r *Result) embeddedBy(x ssa.Value, f *types.Var) (Set, int) {
	x = ssawalk.Source(x)
	if part, ok := x.(*ssa.Extract); ok {
		x = part.Tuple
	}
	call, ok := x.(*ssa.Call)
	if !ok || f.Pkg() != r.pass.Pkg {
		return unknown, noCycle // others may have made it
	}
	if fn := call.Call.StaticCallee(); fn == nil || len(fn.Blocks) == 0 {
		return unknown, noCycle
	}
	return r.field(f, call)
}

// boundsItself reports whether a context kept in a field is replaced by itself with a bound: where it had none, it gets one.
func (r *Result) boundsItself(f *types.Var, stored []ssa.Value) bool {
	for _, v := range stored {
		x, ok := v.(*ssa.Extract)
		if !ok {
			continue
		}
		c, ok := x.Tuple.(*ssa.Call)
		if !ok {
			continue
		}
		targets, _ := r.Targets(&c.Call)
		for _, t := range targets {
			row, ok := r.Row(t.Obj)
			if !ok || !row.Within.IsSet() && !row.Until.IsSet() {
				continue
			}
			load, ok := t.At(row.Ctx).(*ssa.UnOp)
			if !ok {
				continue
			}
			if fa, ok := load.X.(*ssa.FieldAddr); ok && fieldOf(fa) == f {
				return true
			}
		}
	}
	return false
}

// kept is what an origin becomes when it is read back from where it was kept: a parameter of another call is a carrier
// handed in elsewhere.
func kept(o Origin) Origin {
	if o.Kind == Param {
		return Origin{Kind: Handed, Bound: o.Bound, Owned: o.Owned}
	}
	return o
}

// keptIn is what an origin becomes when it is read back from a field.
func keptIn(o Origin, f *types.Var) Origin {
	if o = kept(o); o.Kind == Handed {
		o.Field = f
	}
	return o
}

// KeptIn returns the fields of this package in which a parameter's context is kept: by the function that has it, or by a
// literal in it, such as an option.
func (r *Result) KeptIn(p *ssa.Parameter) []*types.Var {
	if r.keeps == nil {
		r.keeps = make(map[*ssa.Parameter][]*types.Var)
		for _, f := range r.stores.fieldOrder {
			for _, v := range r.stores.fields[f] {
				if q := r.paramBehind(v); q != nil {
					r.keeps[q] = append(r.keeps[q], f)
				}
			}
		}
	}
	return r.keeps[p]
}

// paramBehind returns the parameter that a stored value is, or is derived from, without a bound.
func (r *Result) paramBehind(v ssa.Value) *ssa.Parameter {
	if !typeset.IsContext(v.Type()) {
		return nil
	}
	if s := r.Origins(v); len(s) == 1 && s[0].Kind == Param && !s[0].Bound.Own && !s[0].Owned {
		return s[0].Param
	}
	return nil
}
