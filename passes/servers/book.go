package servers

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
	"github.com/doneby/doneby/passes/durations"
	"github.com/doneby/doneby/passes/ir"
)

// book keeps what is known of the objects of a package while it is looked at.
type book struct {
	pass    *analysis.Pass
	ir      *ir.Result
	ctx     *contexts.Result
	lengths *durations.Result
	types   trackedTypes

	funcs     []*ssa.Function // those that have to do with servers, tests left out
	fields    map[*types.Var][]ssa.Value
	variables map[ssa.Value][]ssa.Value // of pointer or interface type
	pool      []ssa.Value               // servers kept in slices, maps and channels
	results   map[result][]ssa.Value
	facts     map[*types.Func]*treats

	same      map[ssa.Value]ssa.Value // copies: towards the object that stands for all
	has       map[ssa.Value]Bound
	served    map[ssa.Value]bool
	starts    map[ssa.Value]*start // by the Echo
	handlers  map[ssa.Value][]ssa.Value
	addrs     map[ssa.Value][]ssa.Value // what is stored as the address that a server listens on
	listeners map[ssa.Value][]ssa.Value // what a method serves the object on; nil for what it opens itself
	order     []ssa.Value               // objects with an event, in the order of the source
	sums      map[*ssa.Parameter]*treatment
	plain     []ssa.CallInstruction // calls of http.ListenAndServe and its like
	changed   bool

	exprs map[token.Pos]ast.Expr
}

// treatment is what a function does to a server that it is given.
type treatment struct {
	serves bool
	bounds Bound
}

func newBook(pass *analysis.Pass, code *ir.Result) *book {
	b := &book{
		pass: pass, ir: code, ctx: contexts.Of(pass), lengths: durations.Of(pass), types: trackedTypes{},
		fields: map[*types.Var][]ssa.Value{}, variables: map[ssa.Value][]ssa.Value{}, results: map[result][]ssa.Value{},
		facts: map[*types.Func]*treats{}, same: map[ssa.Value]ssa.Value{}, has: map[ssa.Value]Bound{},
		served: map[ssa.Value]bool{}, starts: map[ssa.Value]*start{}, handlers: map[ssa.Value][]ssa.Value{},
		addrs:     map[ssa.Value][]ssa.Value{},
		listeners: map[ssa.Value][]ssa.Value{}, sums: map[*ssa.Parameter]*treatment{},
	}
	for _, fn := range b.all() {
		if b.index(fn) {
			b.funcs = append(b.funcs, fn)
		}
	}
	return b
}

// all returns the functions of the package that are no tests, the one that sets its variables among them.
func (b *book) all() []*ssa.Function {
	var out []*ssa.Function
	if init := b.ir.Pkg.Func("init"); init != nil {
		out = append(out, init)
	}
	for _, fn := range b.ir.Funcs {
		if !b.ir.InTest(fn) {
			out = append(out, fn)
		}
	}
	return out
}

// index notes where fn keeps servers, and reports whether it has to do with any.
func (b *book) index(fn *ssa.Function) bool {
	concerned := false
	for _, p := range fn.Params {
		concerned = concerned || b.types.of(p.Type()) != untracked
	}
	for in := range ssawalk.Instrs(fn) {
		if v, ok := in.(ssa.Value); ok && b.types.of(v.Type()) != untracked {
			concerned = true
		}
		for _, op := range in.Operands(nil) {
			if g, ok := (*op).(*ssa.Global); ok && b.types.of(g.Type()) != untracked {
				concerned = true
			}
		}
		switch in := in.(type) {
		case *ssa.Store:
			b.keep(in)
		case *ssa.MapUpdate:
			b.pooled(in.Value)
		case *ssa.Send:
			b.pooled(in.X)
		case ssa.CallInstruction:
			if callee := in.Common().StaticCallee(); callee != nil && callee.Object() != nil {
				if _, ok := plain[b.ctx.Name(callee.Object().(*types.Func))]; ok {
					b.plain = append(b.plain, in)
					concerned = true
				}
			}
		}
	}
	return concerned || len(fn.FreeVars) > 0 && b.captures(fn)
}

func (b *book) captures(fn *ssa.Function) bool {
	for _, fv := range fn.FreeVars {
		t := fv.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok && b.types.of(p.Elem()) != untracked || b.types.of(t) != untracked {
			return true
		}
	}
	return false
}

// keep notes a pointer to a server, or an interface around one, that is stored.
func (b *book) keep(st *ssa.Store) {
	if k := b.types.of(st.Val.Type()); k == untracked || k == whole {
		return
	}
	switch addr := st.Addr.(type) {
	case *ssa.FieldAddr:
		f := contexts.FieldOf(addr)
		b.fields[f] = append(b.fields[f], st.Val)
	case *ssa.IndexAddr:
		b.pooled(st.Val)
	default:
		if v := b.ctx.Variable(st.Addr); v != nil {
			b.variables[v] = append(b.variables[v], st.Val)
		}
	}
}

func (b *book) pooled(v ssa.Value) {
	if b.types.of(v.Type()) != untracked {
		b.pool = append(b.pool, v)
	}
}

// root returns the object that stands for o and its copies.
func (b *book) root(o ssa.Value) ssa.Value {
	for b.same[o] != nil {
		o = b.same[o]
	}
	return o
}

// join makes copies one.
func (b *book) join(x, y ssa.Value) {
	x, y = b.root(x), b.root(y)
	if x == y {
		return
	}
	b.note(x)
	b.note(y)
	b.same[y] = x
	b.has[x] |= b.has[y]
	b.served[x] = b.served[x] || b.served[y]
	b.handlers[x] = append(b.handlers[x], b.handlers[y]...)
	b.addrs[x] = append(b.addrs[x], b.addrs[y]...)
	b.changed = true
}

// note enters an object into the order.
func (b *book) note(o ssa.Value) {
	if _, ok := b.has[o]; !ok {
		b.has[o] = 0
		b.order = append(b.order, o)
	}
}

// record enters an object that is made elsewhere with these bounds.
func (b *book) record(o ssa.Value, has Bound) {
	b.note(o)
	b.bound(o, has)
}

// bound notes that timeouts of an object are set.
func (b *book) bound(o ssa.Value, set Bound) {
	if p, ok := o.(*ssa.Parameter); ok {
		t := b.treatment(p)
		b.changed = b.changed || t.bounds|set != t.bounds
		t.bounds |= set
	}
	b.note(o)
	r := b.root(o)
	b.changed = b.changed || b.has[r]|set != b.has[r]
	b.has[r] |= set
}

// serve notes that an object is served.
func (b *book) serve(o ssa.Value) {
	if p, ok := o.(*ssa.Parameter); ok {
		t := b.treatment(p)
		b.changed = b.changed || !t.serves
		t.serves = true
	}
	b.note(o)
	r := b.root(o)
	b.changed = b.changed || !b.served[r]
	b.served[r] = true
}

func (b *book) treatment(p *ssa.Parameter) *treatment {
	t := b.sums[p]
	if t == nil {
		t = &treatment{}
		b.sums[p] = t
	}
	return t
}
