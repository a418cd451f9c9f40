package contexts

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// Origins returns where a context, or the context that a carrier or handle brings, comes from.
func (r *Result) Origins(v ssa.Value) Set {
	s, _ := r.origins(v)
	return s
}

const noCycle = 1 << 30

// origins returns the origins of v and the depth of the shallowest open value that it met: a set found inside an open cycle
// is not final, and not kept.
func (r *Result) origins(v ssa.Value) (Set, int) {
	if v == nil {
		return unknown, noCycle
	}
	if s, ok := r.memo[v]; ok {
		return s, noCycle
	}
	if d, ok := r.open[v]; ok {
		return nil, d
	}
	depth := len(r.open)
	if depth > 200 {
		return unknown, noCycle
	}
	r.open[v] = depth
	s, low := r.walk(v)
	delete(r.open, v)
	if low >= depth {
		r.memo[v] = s
		low = noCycle
	}
	return s, low
}

func (r *Result) walk(v ssa.Value) (Set, int) {
	switch v := v.(type) {
	case *ssa.Const:
		return nil, noCycle // nil: no path gives a context
	case *ssa.Parameter:
		return r.parameter(v), noCycle
	case *ssa.FreeVar:
		if b, ok := r.stores.bindings[v]; ok {
			return r.origins(b)
		}
	case *ssa.Phi:
		return r.phi(v)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return r.call(call, v.Index)
		}
		return r.origins(v.Tuple) // v, ok := x.(T)
	case *ssa.Call:
		return r.call(v, 0)
	case *ssa.MakeInterface:
		return r.boxed(v)
	case *ssa.ChangeInterface:
		return r.origins(v.X)
	case *ssa.ChangeType:
		return r.origins(v.X)
	case *ssa.TypeAssert:
		return r.origins(v.X)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return r.load(v)
		}
	case *ssa.Field:
		return r.structField(v)
	}
	return unknown, noCycle // also a struct made on the spot: a request built by hand carries nothing that can be told
}

// parameter is its own origin when its type brings a context, or may be a handle that was bound to one.
func (r *Result) parameter(p *ssa.Parameter) Set {
	if r.Carries(p.Type()) || r.bindable(p.Type()) {
		return Set{{Kind: Param, Param: p}}
	}
	return unknown
}

// Carries reports whether a value of type t brings a context.
func (r *Result) Carries(t types.Type) bool {
	yes, known := r.carries[t]
	if !known {
		yes = r.bringsContext(t)
		r.carries[t] = yes
	}
	return yes
}

func (r *Result) bringsContext(t types.Type) bool {
	if n := typeset.Named(t); n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing" {
		return false // a test's context says when the test ends, which bounds nothing
	}
	if row, ok := r.tables.Type(typeset.Name(t)); ok && row.Verb == "carries" {
		return !row.Life
	}
	if typeset.ImplementsContext(t) || typeset.IsRequest(t) {
		return true
	}
	m := typeset.ContextMethod(t)
	if m == nil {
		return false
	}
	if row, ok := r.tables.Of(m); ok {
		return !row.Life // the Context of a connection only says that it is open
	}
	return !lives(typeset.Named(t)) && !r.ownLife(m)
}

// lives reports whether a type's name says that it outlives any request: its Context says that it is still open.
func lives(n *types.Named) bool {
	if n == nil {
		return false
	}
	for _, end := range [...]string{"Client", "Conn", "Connection", "Transport", "Server", "Manager", "Pool", "Engine", "App", "Session"} {
		if strings.HasSuffix(n.Obj().Name(), end) {
			return true
		}
	}
	return false
}

// bindable reports whether t is a handle that the tables know to be bound to a context by one of its methods, as *gorm.DB is.
func (r *Result) bindable(t types.Type) bool {
	if r.Carries(t) {
		return false // a request has a context from the start
	}
	for _, name := range [...]string{"WithContext", "SetContext"} {
		if m := typeset.Method(t, name); m != nil {
			if row, ok := r.tables.Of(m); ok && row.Verb == "binds" {
				return true
			}
		}
	}
	return false
}

// boxed is a value made into an interface: a framework's value that is passed as a context may never end.
func (r *Result) boxed(v *ssa.MakeInterface) (Set, int) {
	t := v.X.Type()
	if row, ok := r.tables.Type(typeset.Name(t)); ok && row.Never && typeset.IsContext(v.Type()) && !r.switchedOn(row.Unless) {
		return Set{{Kind: Never, Name: describe(v.X), Pos: v.Pos(), In: v.Parent()}}, noCycle
	}
	if n := typeset.Named(t); n != nil && n.Obj().Pkg() == r.pass.Pkg && typeset.IsContext(v.Type()) && r.neverDone(t) {
		return Set{{Kind: Uncancelled, Name: n.Obj().Name(), Pos: v.Pos(), In: v.Parent()}}, noCycle
	}
	s, low := r.origins(v.X)
	if f := typeset.ContextField(t); f != nil && f.Embedded() && s.Has(Unknown) {
		return r.embedded(v.X, f)
	}
	return s, low
}

// neverDone reports whether a context type of this package is never done: its own Done only returns nil.
func (r *Result) neverDone(t types.Type) bool {
	fn := r.ir.Func(typeset.Method(t, "Done"))
	if fn == nil || len(fn.Blocks) == 0 {
		return false
	}
	never := true
	for in := range ssawalk.Instrs(fn) {
		if ret, ok := in.(*ssa.Return); ok {
			never = never && len(ret.Results) == 1 && ssawalk.IsNil(ret.Results[0])
		}
	}
	return never
}

// switchedOn reports whether the package sets a field of that name, under which a row of the tables does not hold.
func (r *Result) switchedOn(field string) bool {
	if field == "" {
		return false
	}
	for f, stored := range r.stores.fields {
		if f.Name() != field {
			continue
		}
		for _, v := range stored {
			if !isZero(v) {
				return true
			}
		}
	}
	return false
}

// embedded is a struct made here that embeds a context: it ends with what it embeds.
func (r *Result) embedded(x ssa.Value, f *types.Var) (Set, int) {
	if load, ok := x.(*ssa.UnOp); ok {
		x = load.X
	}
	a, ok := x.(*ssa.Alloc)
	if !ok {
		return r.embeddedBy(x, f.Origin())
	}
	stored := storedTo(a, f.Origin())
	if len(stored) == 0 {
		return unknown, noCycle
	}
	return r.join(stored, nil)
}

// load reads a variable or a field: the join of all that is stored to it.
func (r *Result) load(v *ssa.UnOp) (Set, int) {
	switch addr := r.stores.variable(v.X).(type) {
	case *ssa.Alloc:
		if stored, ok := r.stores.vars[addr]; ok {
			return r.variable(addr, stored, overwritten(addr, v))
		}
		return unknown, noCycle
	case *ssa.Global:
		return r.global(addr)
	case *ssa.FieldAddr:
		return r.field(fieldOf(addr), addr.X)
	}
	return r.origins(v.X)
}

// variable is a variable that a literal captures, so that SSA keeps no order of its stores: the join of all of them. A root
// that is replaced where a carrier is not nil is a default, and so is one that is stored where a carrier is nil; what is replaced before
// it can be read counts for nothing.
func (r *Result) variable(a *ssa.Alloc, stored []ssa.Value, gone map[ssa.Value]bool) (Set, int) {
	byDefault := storedOnNil(a)
	s, low := r.join(stored, func(i int, o Origin) bool { return gone[stored[i]] || o.Kind == Root && byDefault[stored[i]] })
	if !s.Has(Root) || a.Referrers() == nil {
		return s, low
	}
	for _, ref := range *a.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == a && onNonNilPath(st.Block()) {
			return filter(s, func(o Origin) bool { return o.Kind != Root }), low
		}
	}
	return s, low
}

func (r *Result) global(g *ssa.Global) (Set, int) {
	stored := r.stores.vars[g]
	if g.Pkg != r.pkg || len(stored) == 0 {
		return unknown, noCycle
	}
	s, low := r.join(stored, nil)
	return s.Map(kept), low
}

// join returns the origins of all values, by joinPaths.
func (r *Result) join(vals []ssa.Value, drop func(i int, o Origin) bool) (Set, int) {
	low := noCycle
	sets := make([]Set, 0, len(vals))
	for i, x := range vals {
		s, l := r.origins(x)
		low = min(low, l)
		if drop != nil {
			s = filter(s, func(o Origin) bool { return !drop(i, o) })
		}
		sets = append(sets, s)
	}
	return joinPaths(sets), low
}

func filter(s Set, keep func(Origin) bool) Set {
	var out Set
	for _, o := range s {
		if keep(o) {
			out = append(out, o)
		}
	}
	return out
}
