package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
)

// Carrier is a carrier in reach of a function: what a call in it could have ended by.
type Carrier struct {
	Expr  string         // the context as a reader would type it: ctx, r.Context(), s.ctx
	Param *ssa.Parameter // the parameter that is it, or that has it in a field
	Field *types.Var     // the field of Param that holds it, or nil
}

// Reach returns the carriers in reach of fn, the nearest first: its parameters, those of the functions that enclose it, and
// context fields of a struct that it was handed when all that is stored to them comes from carriers. A parameter without a
// name, or named _, is not in reach.
func (r *Result) Reach(fn *ssa.Function) []Carrier {
	var out, fields []Carrier
	for f := fn; f != nil; f = f.Parent() {
		for _, p := range f.Params {
			if o := p.Object(); o == nil || o.Name() == "" || o.Name() == "_" {
				continue // SSA gives a name to one that has none
			}
			if builds(f, p) {
				continue // the command is being put together: it has no context yet
			}
			if r.endless(p.Type()) || r.rooted(p.Type()) {
				continue // the command line, or what it is part of, was started without a context: there is nothing to inherit
			}
			if clientStream(p.Type()) {
				continue // what it was opened under is that call's, and says when the stream is over
			}
			if r.Carries(p.Type()) {
				out = append(out, Carrier{Expr: contextExpr(p.Name(), p.Type()), Param: p})
				continue
			}
			if field := r.handedField(p.Type()); field != nil {
				fields = append(fields, Carrier{Expr: contextExpr(p.Name()+"."+field.Name(), field.Type()), Param: p, Field: field})
			}
		}
	}
	return append(out, fields...)
}

// rooted reports whether t is a struct that nobody else can make, and all that is stored here to the context it has are roots.
func (r *Result) rooted(t types.Type) bool {
	n := typeset.Named(t)
	if n == nil || n.Obj().Pkg() == nil || r.pkg == nil || n.Obj().Pkg() != r.pkg.Pkg {
		return false
	}
	f := typeset.ContextField(t)
	if f == nil || n.Obj().Exported() && n.Obj().Pkg().Name() != "main" {
		return false
	}
	stored := r.stores.fields[f.Origin()]
	if len(stored) == 0 {
		return false
	}
	s, _ := r.join(stored, nil)
	return len(s) > 0 && !s.Any(func(o Origin) bool { return o.Kind != Root || o.Bound.Own })
}

// Timeless reports whether a carrier is a framework's value that is passed for a context, has no deadline and no other context to give.
func (r *Result) Timeless(c Carrier) bool {
	if c.Param == nil || c.Field != nil {
		return false
	}
	row, ok := r.tables.Type(typeset.Name(c.Param.Type()))
	return ok && row.Verb == knowledge.Carries && row.Never && !row.Ctx.IsSet() && typeset.Method(c.Param.Type(), "UserContext") == nil
}

// clientStream reports whether t is the client's end of an RPC stream.
func clientStream(t types.Type) bool {
	return typeset.Method(t, "CloseSend") != nil && typeset.Method(t, "RecvMsg") != nil
}

// handedField returns a field of the struct behind t that holds an inherited context, whoever made the struct.
func (r *Result) handedField(t types.Type) *types.Var {
	n := typeset.Named(t)
	if n == nil {
		return nil
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range st.Fields() {
		f = f.Origin()
		if !r.Carries(f.Type()) {
			continue
		}
		if stored := r.stores.fields[f]; len(stored) > 0 {
			s, _ := r.join(stored, nil)
			if s = s.Map(kept); s.Inherited() && !s.Any(func(o Origin) bool { return o.Owned }) {
				return f
			}
		}
	}
	return nil
}

// contextExpr returns the expression for the context of a carrier of type t that is written name.
func contextExpr(name string, t types.Type) string {
	switch {
	case typeset.IsContext(t):
		return name
	case typeset.IsRequest(t), typeset.ContextMethod(t) != nil:
		return name + ".Context()"
	case typeset.Method(t, "Request") != nil:
		return name + ".Request().Context()"
	case hasRequestField(t):
		return name + ".Request.Context()"
	case typeset.Method(t, "UserContext") != nil:
		return name + ".UserContext()"
	}
	if f := typeset.ContextField(t); f != nil {
		return name + "." + f.Name()
	}
	return name
}

func hasRequestField(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Request")
	f, ok := obj.(*types.Var)
	return ok && typeset.IsRequest(f.Type())
}

// builds reports whether fn is handed a command to put it together rather than to run it: only the functions that cobra runs,
// and their helpers, have the arguments beside it.
func builds(fn *ssa.Function, p *ssa.Parameter) bool {
	if !typeset.IsPointerTo(p.Type(), "github.com/spf13/cobra", "Command") {
		return false
	}
	for _, q := range fn.Params {
		if s, ok := q.Type().Underlying().(*types.Slice); ok && types.Identical(s.Elem(), types.Typ[types.String]) {
			return false
		}
	}
	return true
}
