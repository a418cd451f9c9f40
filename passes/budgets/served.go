package budgets

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// served returns the functions of this package that answer the requests of a handler: itself, what is registered on the router that it
// is, and what its wrappers are put around. With nil it is what is registered for the default mux.
func (p *program) served(v ssa.Value, depth int) []*ssa.Function {
	if depth > maxWrappers {
		return nil
	}
	if c, ok := v.(*ssa.Const); v == nil || ok && c.IsNil() {
		return p.registered(func(c ssa.CallInstruction) bool {
			name := ssawalk.CalleeName(c)
			return name == "net/http.HandleFunc" || name == "net/http.Handle"
		})
	}
	if fn, _ := ssawalk.Function(v); fn != nil {
		return []*ssa.Function{fn}
	}
	v = p.ctx.Behind(v)
	if c, ok := v.(*ssa.Call); ok {
		return p.servedBy(c, depth)
	}
	if m := typeset.Method(v.Type(), "ServeHTTP"); m != nil && m.Pkg() == p.pass.Pkg && !types.IsInterface(v.Type()) {
		if fn := p.code.Func(m); fn != nil {
			return []*ssa.Function{fn}
		}
	}
	return nil
}

// servedBy is served for the result of a call: a router that was made, a handler with something around it, what an own function returns.
func (p *program) servedBy(c *ssa.Call, depth int) []*ssa.Function {
	s := ssawalk.Resolve(c)
	if s.Fn != nil && len(s.Fn.Blocks) > 0 && c.Call.Signature().Results().Len() == 1 {
		var out []*ssa.Function
		for ret := range ssawalk.Returns(s.Fn) {
			out = append(out, p.served(ret.Results[0], depth+1)...)
		}
		for _, a := range s.Args { // what an own middleware is put around
			if typeset.Method(a.Type(), "ServeHTTP") != nil {
				out = append(out, p.served(a, depth+1)...)
			}
		}
		return out
	}
	switch s.Name() {
	case "net/http.StripPrefix", "net/http.MaxBytesHandler", "net/http.AllowQuerySemicolons":
		return slices.Concat(p.served(s.Arg(0), depth+1), p.served(s.Arg(1), depth+1))
	}
	if s.Func == nil || s.Func.Pkg() == nil || !knowledge.IsStd(s.Func.Pkg().Path()) && len(s.Args) > 0 {
		return nil // a wrapper of another package, which may do as it likes
	}
	return p.registered(func(at ssa.CallInstruction) bool {
		recv := ssawalk.Resolve(at).Recv
		return recv != nil && p.is(recv, c, 0)
	})
}

// registered returns the handlers of the package's registrations of which ok holds.
func (p *program) registered(ok func(ssa.CallInstruction) bool) []*ssa.Function {
	var out []*ssa.Function
	for _, fn := range p.code.Funcs {
		if p.code.InTest(fn) {
			continue
		}
		for c := range ssawalk.Calls(fn) {
			if ok(c) {
				out = append(out, p.handlers(c)...)
			}
		}
	}
	return out
}

// is reports whether a value is the router that a call made: also through a field, and as a parameter of a function that it is given.
func (p *program) is(v ssa.Value, made *ssa.Call, depth int) bool {
	v = p.ctx.Behind(v)
	param, ok := v.(*ssa.Parameter)
	if v == ssa.Value(made) || !ok || depth > maxWrappers {
		return v == ssa.Value(made)
	}
	i := slices.Index(param.Parent().Params, param)
	for _, fn := range p.code.Funcs {
		for c := range ssawalk.Calls(fn) {
			if c.Common().StaticCallee() == param.Parent() && p.is(c.Common().Args[i], made, depth+1) {
				return true
			}
		}
	}
	return false
}
