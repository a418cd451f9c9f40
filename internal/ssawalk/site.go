package ssawalk

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Site is a call whose callee is resolved, in one form for static calls, interface calls, method values, method expressions
// and closures: the receiver is apart, and Args[i] is the argument of parameter i.
type Site struct {
	Call ssa.CallInstruction
	Func *types.Func   // the declared function or (interface) method, its origin; nil for a literal or an unknown value
	Fn   *ssa.Function // the function called, its origin, also a literal; nil for an interface method or an unknown value
	Recv ssa.Value     // the receiver, nil when there is none
	Args []ssa.Value   // the arguments without the receiver
}

// Resolve finds out who is called. Function values are followed through names that are assigned once.
func Resolve(call ssa.CallInstruction) Site {
	c := call.Common()
	if c.IsInvoke() {
		return Site{Call: call, Func: c.Method.Origin(), Recv: c.Value, Args: c.Args}
	}
	s := Site{Call: call, Args: c.Args}
	fn, recv := Function(c.Value)
	if fn == nil {
		return s
	}
	s.Fn, s.Recv = fn, recv
	s.Func, _ = fn.Object().(*types.Func)
	if s.Func != nil {
		s.Func = s.Func.Origin()
		if typeRecv(s.Func) != nil && recv == nil && len(s.Args) > 0 {
			s.Recv, s.Args = s.Args[0], s.Args[1:] // a method called as a function: static call or method expression
		}
		if types.IsInterface(typeOf(typeRecv(s.Func))) {
			s.Fn = nil // a method value of an interface: no body to look at
		}
	}
	return s
}

func typeRecv(f *types.Func) *types.Var { return f.Signature().Recv() }

func typeOf(v *types.Var) types.Type {
	if v == nil {
		return types.Typ[types.Invalid]
	}
	return v.Type()
}

// Name returns the callee's name as the tables have it, or "" when no declared function is called.
func (s Site) Name() string {
	if s.Func == nil {
		return ""
	}
	return s.Func.FullName()
}

// Arg returns the argument of parameter i, or nil.
func (s Site) Arg(i int) ssa.Value {
	if i < 0 || i >= len(s.Args) {
		return nil
	}
	return s.Args[i]
}

// Signature returns the signature of what is called, which is there even if the callee is unknown. It has no receiver
// among its parameters, except for a method expression that is not resolved.
func (s Site) Signature() *types.Signature {
	if s.Func != nil {
		return s.Func.Signature()
	}
	return s.Call.Common().Signature()
}

// Callee returns the declared function or interface method that is called, its origin, or nil for a literal, a builtin or
// an unknown function value.
func Callee(call ssa.CallInstruction) *types.Func { return Resolve(call).Func }

// CalleeName returns the name of Callee as the tables have it, or "".
func CalleeName(call ssa.CallInstruction) string { return Resolve(call).Name() }
