package servers

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// An echo.Echo makes two http.Servers without any bound, e.Server and e.TLSServer, which its user may bound or replace before a method of
// it serves one of them (echo v4.16, Start and StartTLS). It is taken as one object with both.

// starts names the methods by which an Echo takes connections on its own servers.
var starts = map[string]bool{"Start": true, "StartTLS": true, "StartAutoTLS": true, "StartH2CServer": true}

// start is a call by which an Echo serves.
type start struct {
	call ssa.CallInstruction
	fn   *types.Func
}

// addr is the address that it listens on.
func (s start) addr() ssa.Value {
	if args := s.call.Common().Args; len(args) > 1 {
		return args[1]
	}
	return nil
}

func isEcho(t types.Type) bool {
	return typeset.Is(t, "github.com/labstack/echo/v4", "Echo") || typeset.Is(t, "github.com/labstack/echo", "Echo")
}

// makesEcho reports whether fn is echo.New.
func makesEcho(fn *types.Func) bool {
	return fn != nil && fn.Name() == "New" && typeset.Receiver(fn) == nil && fn.Signature().Results().Len() == 1 &&
		isEcho(typeset.Deref(fn.Signature().Results().At(0).Type()))
}

// ofEcho returns the Echo whose field of an http.Server the address is, or nil.
func ofEcho(addr ssa.Value) ssa.Value {
	fa, ok := addr.(*ssa.FieldAddr)
	if !ok || !isEcho(typeset.Deref(fa.X.Type())) || !isServer(typeset.Deref(contexts.FieldOf(fa).Type())) {
		return nil
	}
	return fa.X
}

// replaced looks at a store of a server into an Echo: the two are one from here on. One from out of sight may have all bounds.
func (b *book) replaced(st *ssa.Store) {
	e := ofEcho(st.Addr)
	if e == nil {
		return
	}
	from := b.objects(st.Val)
	for _, o := range b.objects(e) {
		for _, f := range from {
			b.join(o, f)
		}
		if len(from) == 0 {
			b.bound(o, everything)
		}
	}
}

// echoes looks at a method of an Echo, and reports whether it was one: the starting ones serve, and StartServer what it is given; no other
// sets a timeout.
func (b *book) echoes(call ssa.CallInstruction, t contexts.Target) bool {
	if t.Obj == nil || t.Recv() == nil || !isEcho(typeset.Deref(typeOfRecv(t.Obj))) {
		return false
	}
	switch {
	case starts[t.Obj.Name()]:
		for _, o := range b.objects(t.Recv()) {
			b.serve(o)
			if b.starts[o] == nil {
				b.starts[o] = &start{call, t.Obj}
			}
		}
	case t.Obj.Name() == "StartServer":
		for _, o := range b.objects(t.Param(0)) {
			b.serve(o)
		}
	}
	return true
}

// replacedServer reports whether o is an Echo that was given another server, which is the one to speak of.
func (b *book) replacedServer(o ssa.Value) bool {
	if !isEcho(typeset.Deref(o.Type())) {
		return false
	}
	for _, other := range b.order {
		if b.root(other) == b.root(o) && !isEcho(typeset.Deref(other.Type())) {
			return true
		}
	}
	return false
}

// started is the server of an Echo that is started in this package: said where it is started.
func (b *book) started(o ssa.Value, st *start) Server {
	s := Server{Has: b.has[b.root(o)], Name: contexts.DisplayName(st.fn), Lacks: lacksOf(o.Type())}
	s.Pos, s.End = b.rangeOf(st.call.Pos())
	s.Debug = b.debug([]ssa.Value{o}, st.addr(), s.Pos)
	return s // its routes are the framework's
}
