package summaries

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// bySignature is a call of a declared function of which neither the tables nor a fact say anything: a library's function or
// an interface's method. One that takes a context and can fail is taken to wait on it. One without a context whose twin
// takes one, and which can fail, is taken to wait on nothing.
func (r *Result) bySignature(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target) []effect {
	sig := t.Obj.Signature()
	if t.Obj.Pkg() == nil || knowledge.IsStd(t.Obj.Pkg().Path()) {
		return nil // of the standard library the tables know all that waits
	}
	if pluggedIn(t.Obj) {
		return nil // a hook
	}
	w := Wait{Name: contexts.DisplayName(t.Obj), Src: c.Common().Pos(), In: fn}
	w.Traits = Traits{Known: contexts.Operation(t.Obj), Meant: lasts(t.Obj), Lookup: t.Obj.Name() == "LookupHost", Inside: knowledge.IsEmbeddedStore(t.Obj.Pkg().Path()),
		Hidden: typeset.IsInterfaceMethod(t.Obj) && !viaClient(t)}
	if i := typeset.ContextParam(sig); i >= 0 {
		if !tellsOfWaiting(sig) || makes(t.Obj) {
			return nil // it may only compute, or make something that keeps the context
		}
		w.End = ByParam
		e := effect{Wait: w, set: r.ctx.Origins(t.Param(i)), call: c, fn: fn}
		r.bound(&e, t, knowledge.Row{})
		return append([]effect{e}, r.ofCallbacks(fn, c, t)...)
	}
	if r.ctx.CarriesDeadline(t.Recv(), nil) {
		return nil // its client has the deadline of a context that was handed in
	}
	if twin := contextTwin(t.Obj); twin != nil && typeset.ReturnsError(sig) && !makes(t.Obj) && remote(t.Obj.Pkg()) {
		w.End, w.Use, w.Unsure = ByNothing, typeset.FullName(twin), true // the library may have a bound of its own
		return []effect{{Wait: w, call: c, fn: fn}}
	}
	return r.ofCallbacks(fn, c, t)
}

// ofCallbacks runs the functions that a library's function is given when they can fail: it is taken to call them before it
// returns.
func (r *Result) ofCallbacks(fn *ssa.Function, c ssa.CallInstruction, t contexts.Target) []effect {
	if fromOwn := typeset.IsInterfaceMethod(t.Obj) && t.Obj.Pkg() == r.pass.Pkg; fromOwn {
		return nil // a registration as likely as a call
	}
	var out []effect
	for _, a := range t.Args {
		if a == nil {
			continue
		}
		sig, ok := a.Type().Underlying().(*types.Signature)
		if !ok || !typeset.ReturnsError(sig) || !typeset.ReturnsError(t.Obj.Signature()) {
			continue
		}
		out = append(out, r.ofGiven(fn, c, a, nil, contexts.DisplayName(t.Obj))...)
	}
	return out
}

// remote reports whether a package, as far as its exported API shows, deals with the network: its functions that take no
// context, beside twins that do, then wait for another machine rather than for a file.
func remote(p *types.Package) bool {
	for _, imp := range p.Imports() {
		switch imp.Path() {
		case "net", "net/http", "net/url", "crypto/tls", "database/sql", "google.golang.org/grpc":
			return true
		}
	}
	return false
}

// lasts reports whether a function's name says that it is meant to last.
func lasts(fn *types.Func) bool {
	for _, prefix := range [...]string{"Serve", "ListenAndServe", "Listen", "Watch", "Subscribe", "Consume"} {
		if strings.HasPrefix(fn.Name(), prefix) {
			return true
		}
	}
	return false
}

// makes reports whether a function's name, or what it gives, says that it makes something rather than waits: the context it takes may be
// kept. A source of tokens keeps it for every token that it gets (golang.org/x/oauth2, Config.TokenSource). What is kept in a context is
// there already, and the configuration of a client is read from files and the environment (aws-sdk-go-v2, config.LoadDefaultConfig).
func makes(fn *types.Func) bool {
	if res := fn.Signature().Results(); res.Len() > 0 && strings.HasSuffix(typeset.Name(res.At(0).Type()), "TokenSource") {
		return true
	}
	if name := fn.Name(); strings.HasSuffix(name, "FromContext") || strings.HasPrefix(name, "Load") && strings.HasSuffix(name, "Config") {
		return true
	}
	for _, prefix := range [...]string{"New", "With", "From", "Must", "Parse", "Validate"} {
		if strings.HasPrefix(fn.Name(), prefix) {
			return true
		}
	}
	return false
}

// viaClient reports whether the call is made through a client that code can put a bound on for all calls.
func viaClient(t contexts.Target) bool {
	recv := t.Recv()
	return recv != nil && contexts.IsRPCClient(recv.Type())
}

// contextTwin returns the function or method beside fn that does the same under a context: XContext or XWithContext.
func contextTwin(fn *types.Func) *types.Func {
	for _, suffix := range [...]string{"Context", "WithContext"} {
		if twin := sibling(fn, fn.Name()+suffix); twin != nil && typeset.ContextParam(twin.Signature()) >= 0 {
			return twin
		}
	}
	return nil
}

// sibling returns the function of that name in fn's package, or the method in fn's receiver.
func sibling(fn *types.Func, name string) *types.Func {
	if recv := typeset.Receiver(fn); recv != nil {
		obj, _, _ := types.LookupFieldOrMethod(recv, true, fn.Pkg(), name)
		m, _ := obj.(*types.Func)
		return m
	}
	if fn.Pkg() == nil {
		return nil
	}
	f, _ := fn.Pkg().Scope().Lookup(name).(*types.Func)
	return f
}
