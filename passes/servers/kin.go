package servers

import (
	"go/types"

	"github.com/doneby/doneby/internal/typeset"
)

// kin is a library's server that, like an http.Server, waits for ever for its clients unless one of its fields says otherwise.
type kin struct {
	lacks    string           // the field to set
	timeouts map[string]Bound // what each of its fields bounds
}

var kinOf = map[string]kin{
	"net/http.Server": {"ReadHeaderTimeout", map[string]Bound{
		"ReadHeaderTimeout": Header, "ReadTimeout": Read, "IdleTimeout": Idle, "WriteTimeout": Write,
	}},
	// fasthttp v1.69: ReadTimeout is that of the whole request, and stands in for IdleTimeout.
	"github.com/valyala/fasthttp.Server": {"ReadTimeout", map[string]Bound{
		"ReadTimeout": Read, "IdleTimeout": Idle, "WriteTimeout": Write,
	}},
	// go-smtp v0.24: ReadTimeout is set anew before each line and each part of a message.
	"github.com/emersion/go-smtp.Server": {"ReadTimeout", map[string]Bound{"ReadTimeout": Read, "WriteTimeout": Write}},
	// gliderlabs/ssh v0.3: both are deadlines of the connection, which hold for its handshake as well.
	"github.com/gliderlabs/ssh.Server": {"IdleTimeout", map[string]Bound{"IdleTimeout": Read, "MaxTimeout": Read}},
}

// kinAt returns what is known of the servers of type t, or of that which it points to.
func kinAt(t types.Type) (kin, bool) {
	k, ok := kinOf[typeset.Name(typeset.Deref(t))]
	return k, ok
}

// isServer reports whether t is an http.Server or one of its kin.
func isServer(t types.Type) bool {
	_, ok := kinOf[typeset.Name(t)]
	return ok
}

// makesKin reports whether fn is a library's own maker of its server, which sets no timeout: smtp.NewServer.
func makesKin(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || typeset.Receiver(fn) != nil || fn.Signature().Results().Len() != 1 {
		return false
	}
	t := fn.Signature().Results().At(0).Type()
	n := typeset.Named(t)
	return n != nil && n.Obj().Pkg() == fn.Pkg() && isServer(typeset.Deref(t))
}

// nameOf is a server as its reader knows it: http.Server.
func nameOf(t types.Type) string {
	if n := typeset.Named(t); n != nil && n.Obj().Pkg() != nil && isServer(n) {
		return n.Obj().Pkg().Name() + "." + n.Obj().Name()
	}
	return "http.Server"
}

// lacksOf is the field that would bound a client of the server behind a value: that of an http.Server for a struct that has one.
func lacksOf(t types.Type) string {
	if k, ok := kinAt(t); ok {
		return k.lacks
	}
	return kinOf["net/http.Server"].lacks
}

// lacksIn is the field that would bound a client of the server which a function makes and serves.
func lacksIn(fn *types.Func) string {
	if fn.Pkg() != nil {
		if k, ok := kinOf[fn.Pkg().Path()+".Server"]; ok {
			return k.lacks
		}
	}
	return kinOf["net/http.Server"].lacks
}
