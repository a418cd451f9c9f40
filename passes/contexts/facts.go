package contexts

import (
	"fmt"
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// returns is the fact of a function that returns contexts, carriers or clients: what each of them is.
type returns struct{ Results []result }

// result is one origin of one result.
type result struct {
	Index int
	Kind  Kind
	Param int // of the SSA function, receiver first; for Kind Param
	Name  string
	Use   string
	Own   bool
	For   time.Duration
	Hand  bool  // a handle, not a context
	Limit Limit // of a client: what bounds each call on it
}

func (*returns) AFact() {}

func (f *returns) String() string {
	var parts []string
	for _, x := range f.Results {
		s := fmt.Sprintf("result %d is %s", x.Index, x.Kind)
		if x.Kind == Param {
			s += fmt.Sprintf(" %d", x.Param)
		}
		switch {
		case x.Own && x.For > 0:
			s += " within " + x.For.String()
		case x.Own:
			s += " bounded"
		}
		if x.Limit != LimitUnknown {
			s += ", calls on it " + x.Limit.String()
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

// holds is the fact of an exported field: what is kept in it.
type holds struct {
	Kind  Kind
	Name  string
	Own   bool
	Limit Limit
}

func (*holds) AFact() {}

func (f *holds) String() string {
	if f.Limit != LimitUnknown {
		return "holds a client, calls on it " + f.Limit.String()
	}
	return "holds " + f.Kind.String()
}

// export writes the facts of the package's functions and exported fields.
func (r *Result) export() {
	for _, fn := range r.ir.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || r.ir.InTest(fn) || !typeset.Exported(obj) {
			continue
		}
		if f := r.returnsFact(fn); len(f.Results) > 0 {
			r.pass.ExportObjectFact(obj, f)
		}
	}
	for _, f := range r.stores.fieldOrder {
		stored := r.stores.fields[f]
		if !f.Exported() || f.Pkg() != r.pass.Pkg {
			continue
		}
		if fact := r.holdsFact(f, stored); fact != nil {
			r.pass.ExportObjectFact(f, fact)
		}
	}
}

func (r *Result) returnsFact(fn *ssa.Function) *returns {
	out := new(returns)
	all, _ := r.returned(fn)
	for i, s := range all {
		limit := r.returnedLimit(fn, i)
		for _, o := range s {
			if o.Kind == Unknown && limit == LimitUnknown {
				continue
			}
			x := result{Index: i, Kind: o.Kind, Name: o.Name, Use: o.Use, Own: o.Bound.Own, For: o.Bound.For, Hand: o.Handle, Limit: limit}
			if o.Kind == Param {
				x.Param = paramIndex(fn, o.Param)
			}
			if x.Param >= 0 {
				out.Results = append(out.Results, x)
			}
		}
	}
	return out
}

func paramIndex(fn *ssa.Function, p *ssa.Parameter) int {
	for i, q := range fn.Params {
		if p == q {
			return i
		}
	}
	return -1
}

func (r *Result) holdsFact(f *types.Var, stored []ssa.Value) *holds {
	if r.isClient(f.Type()) {
		if l := r.limitOf(stored); l != LimitUnknown {
			return &holds{Limit: l}
		}
		return nil
	}
	if !r.Carries(f.Type()) {
		return nil
	}
	s, _ := r.join(stored, nil)
	if s = s.Map(kept); len(s) != 1 || s[0].Kind == Unknown {
		return nil // it depends: unknown to others
	}
	return &holds{Kind: s[0].Kind, Name: s[0].Name, Own: s[0].Bound.Own}
}

// imported returns the origins of a result of a function of another own package, by its fact.
func (r *Result) imported(c *ssa.Call, t Target, index int) (Set, bool) {
	fact := new(returns)
	if t.Obj.Pkg() == r.pass.Pkg || !r.pass.ImportObjectFact(t.Obj, fact) {
		return nil, false
	}
	var out Set
	for _, x := range fact.Results {
		if x.Index != index {
			continue
		}
		b := Bound{Own: x.Own, For: x.For}
		if x.Kind == Param {
			if x.Param < len(t.Args) {
				out = out.Join(r.Origins(t.Args[x.Param]).Bounded(b))
			}
			continue
		}
		o := Origin{Kind: x.Kind, Name: DisplayName(t.Obj), Use: x.Use, Bound: b, Handle: x.Hand}
		if x.Kind != Handed && x.Kind != Unknown {
			o.Pos, o.In = c.Call.Pos(), c.Parent()
		}
		out = out.Join(Set{o})
	}
	return out, len(out) > 0
}

// importedField returns what a field of another own package holds, by its fact.
func (r *Result) importedField(f *types.Var) Set {
	fact := new(holds)
	if f.Pkg() == r.pass.Pkg || !r.pass.ImportObjectFact(f, fact) || fact.Limit != LimitUnknown {
		return unknown
	}
	return Set{{Kind: fact.Kind, Name: fact.Name, Bound: Bound{Own: fact.Own}}}
}
