package contexts

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// Excepted says whether a row's exception holds for the connection, pool or token v that its function waits on. name is that of
// the row's unless key: an option that its makers take (redis.DialReadTimeout), or what makes those for which the row does not
// hold (mqtt's Client.Connect). Of what a function makes, v is its call. LimitOwn: it holds; LimitNone: v is made in sight and it does not; LimitUnknown: it may.
func (r *Result) Excepted(v ssa.Value, name string) Limit {
	setter, called := r.setter(name)
	if called {
		return LimitUnknown
	}
	x := &exception{r: r, name: name, setter: setter, seen: make(map[ssa.Value]bool)}
	return x.of(v)
}

// setter reports whether name is a method that gives nothing, and whether the package calls it or, by an interface, one of its name.
func (r *Result) setter(name string) (is, called bool) {
	path, _, method := knowledge.SplitName(name)
	if !strings.HasPrefix(name, "(") || !strings.HasPrefix(method, "Set") {
		return false, false
	}
	if called, known := r.setters[name]; known {
		return true, called
	}
	for _, fn := range r.ir.Funcs {
		for call := range ssawalk.Calls(fn) {
			m := ssawalk.Callee(call)
			called = called || m != nil && m.Name() == method && m.Pkg() != nil && m.Pkg().Path() == path
		}
	}
	if r.setters == nil {
		r.setters = make(map[string]bool)
	}
	r.setters[name] = called
	return true, called
}

// exception follows a handle to the calls that make it.
type exception struct {
	r      *Result
	name   string
	setter bool // nobody here calls it: what is made here has no bound
	seen   map[ssa.Value]bool
}

// maxExcepted bounds the work for one answer.
const maxExcepted = 50

func (x *exception) of(v ssa.Value) Limit {
	if v == nil || x.seen[v] || len(x.seen) > maxExcepted {
		return LimitUnknown
	}
	x.seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		return x.join(v.Edges)
	case *ssa.MakeInterface:
		return x.of(v.X)
	case *ssa.ChangeInterface:
		return x.of(v.X)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return x.call(c, v.Index)
		}
	case *ssa.Call:
		return x.call(v, 0)
	case *ssa.Alloc:
		return x.made(v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return x.load(v)
		}
	}
	return LimitUnknown // a parameter, or kept where it cannot be followed
}

// join is unknown unless all agree; nil values, which are returned beside an error, say nothing.
func (x *exception) join(vals []ssa.Value) Limit {
	out, said := LimitUnknown, false
	for _, v := range vals {
		if c, ok := v.(*ssa.Const); ok && c.IsNil() {
			continue
		}
		l := x.of(v)
		if said && l != out {
			return LimitUnknown
		}
		out, said = l, true
	}
	return out
}

// load is a variable or field, by all that is stored to it.
func (x *exception) load(v *ssa.UnOp) Limit {
	switch addr := x.r.stores.variable(v.X).(type) {
	case *ssa.Alloc:
		return x.made(addr)
	case *ssa.Global:
		return x.join(x.r.stores.vars[addr])
	case *ssa.FieldAddr:
		return x.join(x.r.stores.fields[fieldOf(addr)])
	}
	return LimitUnknown
}

// made is a variable, by what is stored to it, or a struct made here, by what makes its connections: the functions and handles in its
// fields (redis.Pool.Dial, redis.PubSubConn.Conn).
func (x *exception) made(a *ssa.Alloc) Limit {
	if stored := x.r.stores.vars[a]; len(stored) > 0 {
		return x.join(stored)
	}
	out, said := LimitUnknown, false
	for _, ref := range *a.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || fieldOf(fa).Pkg() == x.r.pass.Pkg {
			continue // a struct of this package is no handle of the library's
		}
		for _, use := range *fa.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok || st.Addr != fa {
				continue
			}
			l, concerned := x.field(st.Val)
			if !concerned {
				continue
			}
			if said && l != out {
				return LimitUnknown
			}
			out, said = l, true
		}
	}
	return out
}

// field is what is stored to a field of a struct of the library, if it is a function that makes a handle or a handle.
func (x *exception) field(v ssa.Value) (Limit, bool) {
	sig, ok := v.Type().Underlying().(*types.Signature)
	if !ok {
		return x.of(v), types.IsInterface(v.Type())
	}
	if sig.Results().Len() == 0 || !x.ofLibrary(sig.Results().At(0).Type()) {
		return LimitUnknown, false // a hook
	}
	fns := x.r.Funcs(v)
	if len(fns) != 1 {
		return LimitUnknown, true
	}
	return x.returned(fns[0].Fn, 0), true
}

func (x *exception) ofLibrary(t types.Type) bool {
	n := typeset.Named(t)
	return n != nil && n.Obj().Pkg() != nil && x.r.tables.Covers(n.Obj().Pkg().Path())
}

// returned is what a function of this package returns as that result.
func (x *exception) returned(fn *ssa.Function, index int) Limit {
	if fn == nil || len(fn.Blocks) == 0 {
		return LimitUnknown
	}
	var vals []ssa.Value
	for ret := range ssawalk.Returns(fn) {
		vals = append(vals, ret.Results[index])
	}
	return x.join(vals)
}

// call is a handle that a call makes: by the options given to it, or, of a pool or client, by how this is made.
func (x *exception) call(c *ssa.Call, index int) Limit {
	targets, ok := x.r.Targets(&c.Call)
	if !ok || len(targets) != 1 {
		return LimitUnknown
	}
	t := targets[0]
	switch {
	case t.Fn != nil:
		return x.returned(t.Fn, index)
	case t.Obj == nil:
		return LimitUnknown
	case typeset.FullName(t.Obj) == x.name:
		return LimitOwn
	case x.makes(t.Obj):
		return LimitNone // another one of its kind
	}
	if opts, ok := Variadic(t); ok && x.takes(t.Sig) {
		return x.options(opts)
	}
	if x.setter && t.Recv() == nil && !slices.ContainsFunc(t.Args, dials) {
		return LimitNone
	}
	return x.of(t.Recv())
}

// makes reports whether fn gives, as the function of the row's exception does, what the row is about: both are methods of one type
// with one result.
func (x *exception) makes(fn *types.Func) bool {
	recv := typeset.Receiver(fn)
	if recv == nil {
		return false
	}
	for m := range types.NewMethodSet(recv).Methods() {
		other, ok := m.Obj().(*types.Func)
		if ok && typeset.FullName(other) == x.name {
			return types.Identical(other.Signature().Results(), fn.Signature().Results())
		}
	}
	return false
}

// takes reports whether a function takes options of the type that the exception makes.
func (x *exception) takes(sig *types.Signature) bool {
	n := typeset.Named(sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice).Elem())
	return n != nil && n.Obj().Pkg() != nil && x.r.tables.Covers(n.Obj().Pkg().Path())
}

// options looks for the exception among the options of a call.
func (x *exception) options(opts []ssa.Value) Limit {
	out := LimitNone
	for _, o := range opts {
		c, ok := o.(*ssa.Call)
		switch {
		case !ok || c.Call.StaticCallee() == nil || c.Call.StaticCallee().Object() == nil:
			out = LimitUnknown // made elsewhere
		case ssawalk.CalleeName(c) == x.name:
			return LimitOwn
		case c.Call.StaticCallee().Object().Pkg() == x.r.pass.Pkg, slices.ContainsFunc(c.Call.Args, dials):
			out = LimitUnknown // a helper, which may give any; a connection or a way to dial, which may have bounds of its own
		}
	}
	return out
}

// dials reports whether an argument is a connection or a function, which may make one.
func dials(v ssa.Value) bool {
	_, isFunc := v.Type().Underlying().(*types.Signature)
	return isFunc || IsConn(v.Type())
}
