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

// near reports whether all that a server is served on is reached by this machine alone, or by a network of trusted machines. A server that
// opens its listener itself is at one of the addresses that are stored in it.
func (b *book) near(listeners, addrs []ssa.Value) bool {
	for _, l := range listeners {
		if l == nil && !b.localAll(addrs) || l != nil && !b.private(l, 0) {
			return false
		}
	}
	return len(listeners) > 0
}

func (b *book) localAll(addrs []ssa.Value) bool {
	for _, a := range addrs {
		if !local.MatchString(b.byDefault(a)) {
			return false
		}
	}
	return len(addrs) > 0
}

// listens are the functions that open a listener: where they are given its network and its address.
var listens = map[string][2]int{"net.Listen": {0, 1}, "crypto/tls.Listen": {0, 1}, "(*net.ListenConfig).Listen": {1, 2}}

// wraps are those that give a listener back with a cloak around it.
var wraps = map[string]bool{"crypto/tls.NewListener": true, "golang.org/x/net/netutil.LimitListener": true}

// trusted are those that open one which only machines of one's own network reach.
var trusted = map[string]bool{"(*tailscale.com/tsnet.Server).Listen": true, "(*tailscale.com/tsnet.Server).ListenTLS": true}

// private reports whether a listener is a socket in the file system, at a loopback address, or within a network of trusted machines.
func (b *book) private(l ssa.Value, depth int) bool {
	if depth > maxBehind {
		return false
	}
	l, at := b.ctx.Behind(l), 0
	if typeset.IsPointerTo(l.Type(), "net", "UnixListener") {
		return true
	}
	if part, ok := l.(*ssa.Extract); ok {
		l, at = part.Tuple, part.Index
	}
	call, ok := l.(*ssa.Call)
	if !ok {
		return false
	}
	s := ssawalk.Resolve(call)
	if place, ok := listens[s.Name()]; ok {
		return strings.HasPrefix(text(s.Arg(place[0])), "unix") || local.MatchString(b.byDefault(s.Arg(place[1])))
	}
	if wraps[s.Name()] {
		return b.private(s.Arg(0), depth+1)
	}
	return trusted[s.Name()] || s.Fn != nil && b.givesPrivate(s.Fn, at, depth)
}

// givesPrivate reports whether all listeners that a function returns are private.
func (b *book) givesPrivate(fn *ssa.Function, at, depth int) bool {
	gives := false
	for ret := range ssawalk.Returns(fn) {
		l := ret.Results[at]
		if ssawalk.IsNil(l) {
			continue // it failed
		}
		if !b.private(l, depth+1) {
			return false
		}
		gives = true
	}
	return gives
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
