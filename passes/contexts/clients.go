package contexts

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// madeLimit is a client made here: a literal, new, or a variable.
func (r *Result) madeLimit(a *ssa.Alloc, fields []string) Limit {
	if stored, ok := r.stores.vars[a]; ok && isPointerOrInterface(typeset.Deref(a.Type())) {
		return r.joinLimits(stored, fields)
	}
	if stored := r.stores.vars[a]; len(stored) > 0 {
		return r.copiedLimit(a, stored, fields)
	}
	return r.structLimit(a, fields)
}

// copiedLimit is a client copied from another by value and perhaps changed: c := *http.DefaultClient.
func (r *Result) copiedLimit(a *ssa.Alloc, stored []ssa.Value, fields []string) Limit {
	if l := r.structLimit(a, fields); l != LimitNone {
		return l
	}
	return r.joinLimits(stored, fields)
}

// structLimit looks at what is stored to the fields of the struct at address a.
func (r *Result) structLimit(a ssa.Value, fields []string) Limit {
	out := LimitNone
	refs := a.Referrers()
	if refs == nil {
		return LimitUnknown
	}
	for _, ref := range *refs {
		l := LimitNone
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			l = r.fieldStoreLimit(ref, fields)
		case *ssa.Call:
			l = r.givenAway(ref, a, fields)
		}
		if l == LimitOwn {
			return LimitOwn
		}
		if l == LimitUnknown {
			out = LimitUnknown
		}
	}
	return out
}

// givenAway is what a call may do to a client that it is given. A function of the package sets a bound or does not; a function value, such as
// a functional option, and a function of another package may.
func (r *Result) givenAway(c *ssa.Call, client ssa.Value, fields []string) Limit {
	i := slices.Index(c.Call.Args, client)
	callee := c.Call.StaticCallee()
	switch {
	case c.Call.IsInvoke() || i < 0 || callee != nil && callee.Signature.Recv() != nil && i == 0:
		return LimitNone // a method of its own
	case callee != nil && len(callee.Blocks) > 0 && callee.Pkg == r.pkg && i < len(callee.Params):
		if r.setBy[callee] {
			return LimitNone // it calls itself
		}
		r.setBy[callee] = true
		defer delete(r.setBy, callee)
		return r.structLimit(callee.Params[i], fields)
	case callee != nil && makesOfIt(callee.Signature):
		return LimitNone // it sends by the client
	}
	return LimitUnknown
}

// makesOfIt reports whether a function has something else to give than an error: what it is given is for that.
func makesOfIt(sig *types.Signature) bool {
	res := sig.Results()
	return res.Len() > 1 || res.Len() == 1 && !typeset.IsError(res.At(0).Type())
}

// fieldStoreLimit is what a store to one field of a client means for its bound.
func (r *Result) fieldStoreLimit(fa *ssa.FieldAddr, fields []string) Limit {
	f := fieldOf(fa)
	out := LimitNone
	for _, ref := range *fa.Referrers() {
		st, ok := ref.(*ssa.Store)
		if !ok || st.Addr != fa {
			continue
		}
		switch inner := below(f, fields); {
		case bounds(f, fields):
			if !isZero(st.Val) {
				return LimitOwn
			}
		case len(inner) > 0:
			if l := r.keptLimit(f, []ssa.Value{st.Val}, inner); l != LimitNone {
				out = l
			}
		case typeset.Is(f.Type(), "net/http", "RoundTripper"):
			if l := r.transportLimit(st.Val); l != LimitNone {
				out = l
			}
		}
	}
	return out
}

// bounds reports whether setting the field bounds calls: the tables name it, or it is a client's Timeout or Deadline.
func bounds(f *types.Var, fields []string) bool {
	for _, name := range fields {
		if f.Name() == name {
			return true
		}
	}
	return (f.Name() == "Timeout" || f.Name() == "Deadline") && isTimely(f.Type())
}

// below returns, of the fields that the tables name, those that lie in field f: of NetDialer.Timeout, Timeout.
func below(f *types.Var, fields []string) []string {
	var out []string
	for _, name := range fields {
		if outer, inner, ok := strings.Cut(name, "."); ok && outer == f.Name() {
			out = append(out, inner)
		}
	}
	return out
}

// transportLimit is a client's transport: bounded up to the response when it limits the header, unknown when it is code of
// its own.
func (r *Result) transportLimit(v ssa.Value) Limit {
	if load, ok := v.(*ssa.UnOp); ok {
		if g, ok := load.X.(*ssa.Global); ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "net/http" {
			return LimitNone // http.DefaultTransport, which a client without a transport has
		}
	}
	mi, ok := v.(*ssa.MakeInterface)
	if !ok {
		return LimitUnknown
	}
	if !typeset.IsPointerTo(mi.X.Type(), "net/http", "Transport") {
		return LimitUnknown
	}
	for _, ref := range *mi.X.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || fieldOf(fa).Name() != "ResponseHeaderTimeout" {
			continue
		}
		for _, use := range *fa.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == fa && !isZero(st.Val) {
				return LimitOwn
			}
		}
	}
	if _, made := mi.X.(*ssa.Alloc); made {
		return LimitNone
	}
	return LimitUnknown
}

func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && (c.Value == nil || c.Value.ExactString() == "0")
}

func isPointerOrInterface(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// givenLimit is a client handed to a literal, or to an unexported function, by calls in sight: the join of what they give. One
// handed to an exported function is unknown.
func (r *Result) givenLimit(p *ssa.Parameter, fields []string) Limit {
	fn := p.Parent()
	if obj := fn.Object(); obj != nil && obj.Exported() {
		return LimitUnknown
	}
	if r.given == nil {
		r.given = r.arguments()
	}
	if len(r.given[p]) == 0 {
		return LimitUnknown
	}
	return r.joinLimits(r.given[p], fields)
}

// arguments returns what the calls of the package give for each parameter of its own functions, tests left out.
func (r *Result) arguments() map[*ssa.Parameter][]ssa.Value {
	out := make(map[*ssa.Parameter][]ssa.Value)
	for _, fn := range r.ir.Funcs {
		if r.ir.InTest(fn) {
			continue
		}
		for in := range ssawalk.Instrs(fn) {
			c, ok := ssawalk.AsCall(in)
			if !ok {
				continue
			}
			targets, _ := r.Targets(c.Common())
			for _, t := range targets {
				for i := 0; t.Fn != nil && i < len(t.Fn.Params) && i < len(t.Args); i++ {
					if r.isClient(t.Fn.Params[i].Type()) {
						out[t.Fn.Params[i]] = append(out[t.Fn.Params[i]], t.Args[i])
					}
				}
			}
		}
	}
	return out
}
