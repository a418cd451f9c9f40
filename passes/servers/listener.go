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
	for range maxWays {
		if l == nil {
			return nil
		}
		l = ssawalk.Source(l)
		switch v := l.(type) {
		case *ssa.Extract:
			l = v.Tuple
		case *ssa.UnOp:
			l = b.ctx.OnlyStored(v)
		case *ssa.Call:
			if ssawalk.CalleeName(v) == "net.Listen" {
				return v
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// maxWays is through how many fields and variables a listener is followed.
const maxWays = 6

// handsOut reports whether a listener is a type of this package whose Accept takes no connection from another listener: it gives one that
// came before, and that may have been read, and bounded, already. So may what the Accept of a type from another package than the standard
// library's gives: it is out of sight, and may be no connection at all but a stream within one.
func (b *book) handsOut(listeners []ssa.Value) bool {
	for _, l := range listeners {
		m, ok := l.(*ssa.MakeInterface)
		if !ok {
			continue
		}
		accept := typeset.Method(m.X.Type(), "Accept")
		switch {
		case accept == nil || accept.Pkg() == nil || knowledge.IsStd(accept.Pkg().Path()):
			continue // a promoted one is the other listener's
		case accept.Pkg() != b.pass.Pkg:
			return true
		}
		if fn := b.ir.Func(accept); fn != nil && !takesFromAnother(fn) {
			return true
		}
	}
	return false
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
