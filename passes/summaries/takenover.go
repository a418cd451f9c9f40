package summaries

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// takenOver reports whether a handler has taken its connection over from the server, by a call of which takes holds, before an
// instruction, or the function around it has. The server does not look at the connection any more: the request's context hears nothing
// of the client, and is over when the handler returns, which the connection outlives (net/http: Hijacker).
func takenOver(in ssa.Instruction, takes func(ssa.CallInstruction) bool) bool {
	for fn := in.Parent(); fn != nil; fn = fn.Parent() {
		for c := range ssawalk.Calls(fn) {
			if _, plain := c.(*ssa.Call); plain && takes(c) && (fn != in.Parent() || ssawalk.Before(c, in)) {
				return true
			}
		}
	}
	return false
}

// hijacks reports whether a call takes the connection of a request over by name.
func hijacks(c ssa.CallInstruction) bool { return calleeName(c) == "Hijack" }

// upgrades reports whether a call takes a connection over: Hijack, or what is given both sides of a request and returns a connection, as
// the upgrades of the WebSocket libraries do.
func upgrades(c ssa.CallInstruction) bool {
	if hijacks(c) {
		return true
	}
	sig := c.Common().Signature()
	request, writer := false, false
	for p := range sig.Params().Variables() {
		request = request || typeset.IsRequest(p.Type())
		writer = writer || typeset.Is(p.Type(), "net/http", "ResponseWriter")
	}
	if !request || !writer {
		return false
	}
	for v := range sig.Results().Variables() {
		if n, ok := types.Unalias(typeset.Deref(v.Type())).(*types.Named); ok && strings.HasSuffix(n.Obj().Name(), "Conn") {
			return true
		}
	}
	return false
}
