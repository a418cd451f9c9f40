package summaries

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// takenOver reports whether a handler has taken its connection over from the server before an instruction: the server does not look at
// it any more, and nothing but the handler's return ends the request's context (net/http: Hijacker).
func takenOver(in ssa.Instruction) bool {
	for c := range ssawalk.Calls(in.Parent()) {
		if _, plain := c.(*ssa.Call); plain && hijacks(c) && ssawalk.Before(c, in) {
			return true
		}
	}
	return false
}

// hijacks reports whether a call takes a connection over: Hijack, or what is given both sides of a request and returns a connection, as
// the upgrades of the WebSocket libraries do.
func hijacks(c ssa.CallInstruction) bool {
	if calleeName(c) == "Hijack" {
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
