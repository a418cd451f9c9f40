package servers

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// objects returns the objects that v, a server, a pointer to one or an interface around one, may be: allocations, package
// variables, parameters, and calls of own functions of other packages that make one. What is unknown adds nothing.
func (b *book) objects(v ssa.Value) []ssa.Value {
	w := &walk{b: b, seen: map[ssa.Value]bool{}}
	w.visit(v)
	return w.out
}

type walk struct {
	b    *book
	seen map[ssa.Value]bool
	out  []ssa.Value
}

// maxVisits bounds the work for one answer.
const maxVisits = 200

func (w *walk) add(v ssa.Value) {
	if !slices.Contains(w.out, v) {
		w.out = append(w.out, v)
	}
}

func (w *walk) all(vals []ssa.Value) {
	for _, x := range vals {
		w.visit(x)
	}
}

func (w *walk) visit(v ssa.Value) {
	if v == nil || w.seen[v] || len(w.seen) > maxVisits {
		return
	}
	w.seen[v] = true
	switch v := v.(type) {
	case *ssa.Parameter:
		w.add(v)
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		w.variable(v)
	case *ssa.FieldAddr:
		w.visit(v.X) // a server kept by value: it is one with what keeps it
	case *ssa.Field:
		w.visit(v.X)
	case *ssa.UnOp:
		w.load(v)
	case *ssa.Phi:
		w.all(v.Edges)
	case *ssa.ChangeType:
		w.visit(v.X)
	case *ssa.MakeInterface:
		w.visit(v.X)
	case *ssa.ChangeInterface:
		w.visit(v.X)
	case *ssa.TypeAssert:
		w.visit(v.X)
	case *ssa.Extract:
		w.extract(v)
	case *ssa.Call:
		w.call(v, 0)
	case *ssa.Lookup, *ssa.Index, *ssa.Next:
		w.all(w.b.pool)
	}
}

// variable is the address of a variable: a server, or what holds a pointer to one.
func (w *walk) variable(v ssa.Value) {
	addr := w.b.ctx.Variable(v)
	if addr == nil {
		addr = v
	}
	if fv, ok := addr.(*ssa.FreeVar); ok {
		w.visit(w.b.ctx.Captured(fv))
		return
	}
	if w.b.types.of(addr.Type()) == pointer {
		w.add(addr)
		return
	}
	w.all(w.b.variables[addr])
}

func (w *walk) load(v *ssa.UnOp) {
	if v.Op == token.ARROW {
		w.all(w.b.pool)
		return
	}
	switch addr := v.X.(type) {
	case *ssa.FieldAddr:
		if e := ofEcho(addr); e != nil {
			w.visit(e)
			return
		}
		if w.b.types.of(v.Type()) == whole {
			w.visit(addr.X)
			return
		}
		w.all(w.b.fields[contexts.FieldOf(addr)])
	case *ssa.IndexAddr:
		w.all(w.b.pool)
	default:
		w.visit(addr)
	}
}

func (w *walk) extract(v *ssa.Extract) {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		w.call(t, v.Index)
	case *ssa.TypeAssert, *ssa.Next, *ssa.Lookup, *ssa.UnOp:
		w.visit(t)
	}
}

// call is what a call returns: of an own function, what its returns are, with the arguments in place of its parameters.
func (w *walk) call(c *ssa.Call, index int) {
	targets, _ := w.b.ctx.Targets(&c.Call)
	for _, t := range targets {
		if t.Fn != nil {
			for _, o := range w.b.returned(t.Fn, index) {
				w.put(o, t)
			}
			continue
		}
		if makesEcho(t.Obj) || makesKin(t.Obj) {
			w.b.note(c)
			w.add(c)
			continue
		}
		f := w.b.fact(t.Obj)
		if f == nil {
			continue
		}
		for _, r := range f.Results {
			if r.Index != index {
				continue
			}
			for _, p := range r.From {
				if p < len(t.Args) {
					w.visit(t.Args[p])
				}
			}
			if r.Bare {
				w.b.record(c, r.Has)
				w.add(c)
			}
		}
	}
}

// put adds an object that a function of this package returns: an argument for a parameter.
func (w *walk) put(o ssa.Value, t contexts.Target) {
	p, ok := o.(*ssa.Parameter)
	if !ok || p.Parent() != t.Fn {
		w.add(o)
		return
	}
	if i := slices.Index(t.Fn.Params, p); i >= 0 && i < len(t.Args) {
		w.visit(t.Args[i])
	}
}

// returned returns the objects that fn, a function of this package, may return as that result.
func (b *book) returned(fn *ssa.Function, index int) []ssa.Value {
	key := result{fn, index}
	if out, ok := b.results[key]; ok {
		return out // also what is being looked at: recursion adds nothing
	}
	b.results[key] = nil
	if index >= fn.Signature.Results().Len() || b.types.of(fn.Signature.Results().At(index).Type()) == untracked {
		return nil
	}
	w := &walk{b: b, seen: map[ssa.Value]bool{}}
	for ret := range ssawalk.Returns(fn) {
		w.visit(ret.Results[index])
	}
	b.results[key] = w.out
	return w.out
}

type result struct {
	fn    *ssa.Function
	index int
}
