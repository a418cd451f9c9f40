package servers

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// scan sets the events of one function.
func (b *book) scan(fn *ssa.Function) {
	for in := range ssawalk.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			b.field(in)
		case *ssa.Store:
			b.copied(in)
			b.replaced(in)
		case *ssa.MakeClosure:
			b.methodValue(in)
		}
		if call, ok := ssawalk.AsCall(in); ok {
			b.call(call)
		}
	}
}

// field looks at what is done with a field of a server.
func (b *book) field(a *ssa.FieldAddr) {
	set := timeout(a)
	if set == 0 {
		if isServer(typeset.Deref(a.X.Type())) {
			switch fieldName(a) {
			case "Handler":
				b.kept(a, b.handlers)
			case "Addr":
				b.kept(a, b.addrs)
			}
		}
		return
	}
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			continue // read
		case *ssa.Store:
			if d, known := b.lengths.Of(ref.Val); ref.Addr == a && known && d <= 0 {
				continue // zero is no bound
			}
		}
		for _, o := range b.objects(a.X) { // stored, or its address given to a flag
			b.bound(o, set)
		}
	}
}

// kept notes what is stored in a field of a server.
func (b *book) kept(a *ssa.FieldAddr, in map[ssa.Value][]ssa.Value) {
	for _, ref := range *a.Referrers() {
		st, ok := ref.(*ssa.Store)
		if !ok || st.Addr != a {
			continue
		}
		for _, o := range b.objects(a.X) {
			b.note(o)
			r := b.root(o)
			if !contains(in[r], st.Val) {
				in[r] = append(in[r], st.Val)
			}
		}
	}
}

// copied looks at a store of a whole server: a copy is one with its original; one from out of sight may have all bounds.
func (b *book) copied(st *ssa.Store) {
	if b.types.of(st.Val.Type()) != whole {
		return
	}
	if c, ok := st.Val.(*ssa.Const); ok && c.Value == nil {
		return // the zero value
	}
	from := b.objects(st.Val)
	for _, o := range b.objects(st.Addr) {
		for _, f := range from {
			b.join(o, f)
		}
		if len(from) == 0 {
			b.bound(o, everything)
		}
	}
}

// methodValue looks at srv.ListenAndServe given away as a function: it will be called.
func (b *book) methodValue(m *ssa.MakeClosure) {
	fn, ok := m.Fn.(*ssa.Function)
	if !ok || len(m.Bindings) != 1 || fn.Object() == nil || !serve[fn.Object().Name()] || b.types.of(m.Bindings[0].Type()) == untracked {
		return
	}
	obj := fn.Object().(*types.Func)
	if isServer(typeset.Deref(typeOfRecv(obj))) || typeset.IsInterfaceMethod(obj) {
		for _, o := range b.objects(m.Bindings[0]) {
			b.serve(o)
		}
	}
}

func typeOfRecv(fn *types.Func) types.Type {
	if r := typeset.Receiver(fn); r != nil {
		return r
	}
	return types.Typ[types.Invalid]
}

// call sets the events of a call on what it is given.
func (b *book) call(call ssa.CallInstruction) {
	if !b.given(call.Common()) {
		return
	}
	targets, sure := b.ctx.Targets(call.Common())
	if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
		return // append
	}
	if !sure {
		b.unknown(call.Common().Args) // a function value, such as an option, may set anything
		return
	}
	for _, t := range targets {
		if !b.echoes(call, t) {
			b.target(t)
		}
	}
}

// given reports whether a call has a server among its arguments.
func (b *book) given(c *ssa.CallCommon) bool {
	if c.IsInvoke() && b.types.of(c.Value.Type()) != untracked {
		return true
	}
	if _, ok := c.Value.(*ssa.MakeClosure); ok {
		return true // a method value that is called at once
	}
	for _, a := range c.Args {
		if b.server(a) != nil {
			return true
		}
	}
	return false
}

// server returns the server behind an argument, also when it is given as any, or nil.
func (b *book) server(v ssa.Value) ssa.Value {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	if b.types.of(v.Type()) == untracked {
		return nil
	}
	return v
}

func (b *book) target(t contexts.Target) {
	switch {
	case t.Obj != nil && serve[t.Obj.Name()] && t.Recv() != nil && (isServer(typeset.Deref(typeOfRecv(t.Obj))) || typeset.IsInterfaceMethod(t.Obj)):
		for _, o := range b.objects(t.Recv()) {
			b.serveBy(o, t)
		}
	case t.Fn != nil:
		for i, p := range t.Fn.Params {
			if i < len(t.Args) && t.Args[i] != nil {
				b.apply(t.Args[i], b.sums[p])
			}
		}
	case t.Obj == nil:
	default:
		b.foreign(t)
	}
}

// apply does to the objects of an argument what the callee does to its parameter.
func (b *book) apply(arg ssa.Value, t *treatment) {
	if t == nil || t.bounds == 0 && !t.serves {
		return
	}
	for _, o := range b.objects(arg) {
		if t.bounds != 0 {
			b.bound(o, t.bounds)
		}
		if t.serves {
			b.serve(o)
		}
	}
}

// foreign is a function of another package: an own one says in its fact what it does; of the others those that are known to
// take no time, the methods of the server itself and what prints leave a server as it is.
func (b *book) foreign(t contexts.Target) {
	if f := b.fact(t.Obj); f != nil {
		for _, p := range f.Params {
			if p.Param < len(t.Args) {
				b.apply(t.Args[p.Param], &treatment{p.Serves, p.Bounds})
			}
		}
		return
	}
	if row, ok := b.ctx.Row(t.Obj); ok && row.Verb == knowledge.None {
		return
	}
	if b.harmless(t) {
		return
	}
	if pkg := t.Obj.Pkg(); pkg != nil {
		switch path := pkg.Path(); {
		case path == "net/http", path == "fmt", path == "log", strings.HasPrefix(path, "log/"), path == "golang.org/x/net/http2":
			return // none of these sets a timeout of an http.Server
		}
	}
	args := t.Args
	if t.Obj.Signature().Recv() != nil && len(args) > 0 {
		args = args[1:]
	}
	b.unknown(args)
}

// unknown notes that somebody out of sight may bound a server. An interface that is not any leads to its methods alone.
func (b *book) unknown(args []ssa.Value) {
	for _, a := range args {
		if i, ok := a.Type().Underlying().(*types.Interface); ok && i.NumMethods() > 0 {
			continue
		}
		v := b.server(a)
		if v == nil {
			continue
		}
		for _, o := range b.objects(v) {
			b.bound(o, everything)
		}
	}
}

func contains(list []ssa.Value, v ssa.Value) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}
