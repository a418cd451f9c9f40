package entrypoints

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// Answered returns the parameter of fn whose context is over as soon as fn returns, since the answer is out then: the request of a
// handler (net/http cancels its context when ServeHTTP returns), the value of a framework that holds such a request, the context of a
// unary RPC. Nil where fn answers nothing, or goes on answering, as a stream does. A function that only has a request may send it.
func (r *Result) Answered(fn *ssa.Function) *ssa.Parameter {
	var request, writer *ssa.Parameter
	for _, p := range fn.Params {
		switch {
		case typeset.IsRequest(p.Type()):
			request = p
		case typeset.Is(p.Type(), "net/http", "ResponseWriter"):
			writer = p
		case holdsBoth(p.Type()):
			return p
		}
	}
	if request != nil && writer != nil {
		return request
	}
	if i := typeset.ContextParam(fn.Signature); i >= 0 && isRPC(fn) && fn.Signature.Results().Len() == 2 {
		return fn.Params[i+1] // after the receiver
	}
	return nil
}

// holdsBoth reports whether t is a web framework's context: it has the request, and the way to write to who asked.
func holdsBoth(t types.Type) bool {
	n := typeset.Named(t)
	if n == nil || n.Obj().Name() != "Context" {
		return false
	}
	return gives(t, "Request", typeset.IsRequest) && (gives(t, "Writer", types.IsInterface) || typeset.Method(t, "Response") != nil)
}

// gives reports whether t has a field, or a method without parameters, of a type for which is holds.
func gives(t types.Type, name string, is func(types.Type) bool) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	switch obj := obj.(type) {
	case *types.Var:
		return is(obj.Type())
	case *types.Func:
		sig := obj.Signature()
		return sig.Params().Len() == 0 && sig.Results().Len() == 1 && is(sig.Results().At(0).Type())
	}
	return false
}
