package servers

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/typeset"
)

// serve names the methods by which a server takes connections.
var serve = map[string]bool{"Serve": true, "ServeTLS": true, "ListenAndServe": true, "ListenAndServeTLS": true}

const fast = "github.com/valyala/fasthttp."

// plain names the functions that make a server of their own, without any bound, and serve it; with the place of the handler,
// which is -1 where it is the receiver (gin's Run is http.ListenAndServe, gin v1.10). Those of fasthttp make a fasthttp.Server.
var plain = map[string]int{
	"net/http.ListenAndServe": 1, "net/http.ListenAndServeTLS": 3, "net/http.Serve": 1, "net/http.ServeTLS": 1,
	"(*github.com/gin-gonic/gin.Engine).Run": -1, "(*github.com/gin-gonic/gin.Engine).RunTLS": -1,
	"(*github.com/gin-gonic/gin.Engine).RunListener": -1, "(*github.com/gin-gonic/gin.Engine).RunUnix": -1,
	fast + "ListenAndServe": 1, fast + "ListenAndServeTLS": 3, fast + "Serve": 1, fast + "ServeTLS": 3,
}

// kinds of types, by what a value has to do with a server.
type tracking uint8

const (
	untracked tracking = iota
	whole              // a server, or a struct that has one by value, or an Echo, which has two
	pointer            // a pointer to one
	behind             // an interface that a server fits, with a method that serves
)

// types remembers the answer for each type.
type trackedTypes map[types.Type]tracking

func (m trackedTypes) of(t types.Type) tracking {
	if t == nil {
		return untracked
	}
	if k, ok := m[t]; ok {
		return k
	}
	k := untracked
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if hasServer(u.Elem(), 0) {
			k = pointer
		}
	case *types.Interface:
		for i := range u.NumMethods() {
			if serve[u.Method(i).Name()] && typeset.ReturnsError(u.Method(i).Signature()) {
				k = behind
			}
		}
	case *types.Struct:
		if hasServer(t, 0) {
			k = whole
		}
	}
	m[t] = k
	return k
}

// hasServer reports whether a value of type t is a server or an Echo, or has one by value.
func hasServer(t types.Type, depth int) bool {
	if isServer(t) || isEcho(t) {
		return true
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 1 {
		return false
	}
	for f := range st.Fields() {
		if _, ok := f.Type().Underlying().(*types.Struct); ok && hasServer(f.Type(), depth+1) {
			return true
		}
	}
	return false
}

// timeout returns which timeout of a server the address is, or 0.
func timeout(a *ssa.FieldAddr) Bound {
	k, _ := kinAt(a.X.Type())
	return k.timeouts[fieldName(a)]
}

func fieldName(a *ssa.FieldAddr) string {
	st, ok := typeset.Deref(a.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	return st.Field(a.Field).Name()
}
