package servers

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// serveBy notes how a method serves a server: on a listener that it is given, or on one that it opens at the server's address.
func (b *book) serveBy(o ssa.Value, t contexts.Target) {
	b.serve(o)
	var l ssa.Value
	if strings.HasPrefix(t.Obj.Name(), "Serve") {
		l = t.Param(0)
	}
	for _, known := range b.listeners[o] {
		if known == l {
			return
		}
	}
	b.listeners[o] = append(b.listeners[o], l)
}

// listenersOf returns what a server is served on; nil stands for a listener that it opens itself.
func (b *book) listenersOf(root ssa.Value) []ssa.Value {
	var out []ssa.Value
	for _, o := range b.order {
		if b.root(o) == root {
			out = append(out, b.listeners[o]...)
		}
	}
	return out
}

// near reports whether all listeners are sockets that only this machine reaches: in its file system, or at a loopback address.
func (b *book) near(listeners []ssa.Value) bool {
	for _, l := range listeners {
		call := b.listened(l)
		if call == nil {
			return false
		}
		network, addr := text(call.Call.Args[0]), b.byDefault(call.Call.Args[1])
		if !strings.HasPrefix(network, "unix") && !local.MatchString(addr) {
			return false
		}
	}
	return len(listeners) > 0
}

// listened returns the call of net.Listen that made a listener, also one kept in a field, or nil.
func (b *book) listened(l ssa.Value) *ssa.Call {
	if l == nil {
		return nil // the server opens it
	}
	made, ok := b.ctx.Behind(l).(*ssa.Extract)
	if !ok {
		return nil
	}
	call, ok := made.Tuple.(*ssa.Call)
	if !ok || ssawalk.CalleeName(call) != "net.Listen" {
		return nil
	}
	return call
}

// handsOut reports whether all that a server is served on hand out connections that came before, and that may have been read, and bounded,
// already.
func (b *book) handsOut(listeners []ssa.Value) bool {
	for _, l := range listeners {
		if !b.lends(l) {
			return false
		}
	}
	return len(listeners) > 0
}

// lends reports whether a listener is of a type of this package whose Accept takes no connection from another listener; or of one from
// another package than the standard library's, whose Accept is out of sight and may give streams within a connection.
func (b *book) lends(l ssa.Value) bool {
	m, ok := l.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	accept := typeset.Method(m.X.Type(), "Accept")
	switch {
	case accept == nil || accept.Pkg() == nil || knowledge.IsStd(accept.Pkg().Path()):
		return false // a promoted one is the other listener's
	case accept.Pkg() != b.pass.Pkg:
		return true
	}
	fn := b.ir.Func(accept)
	return fn != nil && !takesFromAnother(fn)
}

// takesFromAnother reports whether a function calls the Accept of something.
func takesFromAnother(fn *ssa.Function) bool {
	for c := range ssawalk.Calls(fn) {
		if f := ssawalk.Callee(c); f != nil && strings.HasPrefix(f.Name(), "Accept") {
			return true
		}
	}
	return false
}
