package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// isClient reports whether t is something that code can put a bound on for every call made through it.
func (r *Result) isClient(t types.Type) bool {
	switch typeset.Name(t) {
	case "*net/http.Client", "net/http.Client", "net/http.RoundTripper", "*net.Dialer", "net.Dialer",
		"*google.golang.org/grpc.ClientConn", grpcConn:
		return true
	}
	return TakesCallOptions(t)
}

const (
	grpcConn   = "google.golang.org/grpc.ClientConnInterface"
	callOption = "google.golang.org/grpc.CallOption"
)

// IsRPCClient reports whether t is an RPC connection or a client generated over one, for which an interceptor can bound
// every call.
func IsRPCClient(t types.Type) bool {
	switch typeset.Name(t) {
	case "*google.golang.org/grpc.ClientConn", grpcConn:
		return true
	}
	return TakesCallOptions(t)
}

// TakesCallOptions reports whether t is a generated RPC client: an interface whose methods take grpc.CallOption.
func TakesCallOptions(t types.Type) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return false
	}
	sig := iface.Method(0).Signature()
	n := sig.Params().Len()
	if !sig.Variadic() || n == 0 {
		return false
	}
	s, ok := sig.Params().At(n - 1).Type().(*types.Slice)
	return ok && typeset.Name(s.Elem()) == callOption
}

// foreignLimit is a client made by a function out of sight. A generated constructor passes on the connection that it is
// given; an RPC connection is bounded when one of its options is an interceptor that bounds the context.
func (r *Result) foreignLimit(t Target, fields []string) Limit {
	sig := t.Obj.Signature()
	for i := range sig.Params().Len() {
		switch typeset.Name(sig.Params().At(i).Type()) {
		case grpcConn, "*google.golang.org/grpc.ClientConn":
			return r.Limit(t.Param(i), fields)
		}
	}
	if row, ok := r.Row(t.Obj); ok && row.Verb == knowledge.None && types.IsInterface(sig.Results().At(0).Type()) {
		return LimitNone // what it makes has no field to set, and somebody looked
	}
	if typeset.Name(sig.Results().At(0).Type()) != "*google.golang.org/grpc.ClientConn" {
		return LimitUnknown
	}
	opts, ok := Variadic(t)
	if !ok {
		return LimitUnknown
	}
	out := LimitNone
	for _, o := range opts {
		switch l := r.optionLimit(o); l {
		case LimitOwn:
			return LimitOwn
		case LimitUnknown:
			out = LimitUnknown
		}
	}
	return out
}

// optionLimit is one option of a connection.
func (r *Result) optionLimit(o ssa.Value) Limit {
	c, ok := o.(*ssa.Call)
	if !ok {
		return LimitUnknown // made elsewhere
	}
	callee := c.Call.StaticCallee()
	if callee == nil {
		return LimitUnknown
	}
	obj, _ := callee.Object().(*types.Func)
	if obj == nil || obj.Pkg() == nil || !r.tables.Covers(obj.Pkg().Path()) {
		return LimitUnknown // an option made by code out of the tables' sight
	}
	row, ok := r.Row(obj)
	if !ok || row.Verb != knowledge.Bounds || !row.Func.IsSet() {
		return LimitNone // a text that could bound calls counts as none
	}
	return r.interceptorLimit(c, row)
}

// interceptorLimit is whether the functions given as interceptors call on under a context that they bound.
func (r *Result) interceptorLimit(c *ssa.Call, row knowledge.Row) Limit {
	if row.Func.Index >= len(c.Call.Args) {
		return LimitUnknown
	}
	arg := c.Call.Args[row.Func.Index]
	fns := []ssa.Value{arg}
	if elems, ok := elements(arg); ok {
		fns = elems
	}
	out := LimitNone
	for _, f := range fns {
		switch l := r.callsOnBounded(f); l {
		case LimitOwn:
			return LimitOwn
		case LimitUnknown:
			out = LimitUnknown
		}
	}
	return out
}

// callsOnBounded is whether f calls one of its own function parameters under a bounded context.
func (r *Result) callsOnBounded(f ssa.Value) Limit {
	targets := r.Funcs(f)
	if len(targets) != 1 || targets[0].Fn == nil {
		return LimitUnknown
	}
	fn, out := targets[0].Fn, LimitNone
	for in := range ssawalk.Instrs(fn) {
		call, ok := ssawalk.AsCall(in)
		if !ok {
			continue
		}
		if p, ok := call.Common().Value.(*ssa.Parameter); !ok || p.Parent() != fn {
			continue
		}
		for _, a := range call.Common().Args {
			if typeset.IsContext(a.Type()) && r.Origins(a).Any(func(o Origin) bool { return o.Bound.Own }) {
				out = LimitOwn
			}
		}
	}
	return out
}
