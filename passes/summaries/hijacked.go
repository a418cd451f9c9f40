package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
)

// hijacked reports whether a call comes after the connection of the request at hand was taken over, in the same function or in one
// around it. From then on the request's context hears nothing of the client, and it is over when the handler returns, which the
// connection outlives (net/http, Hijacker): what works on the connection needs a context of its own.
func (r *Result) hijacked(c ssa.CallInstruction) bool {
	for fn := c.Parent(); fn != nil; fn = fn.Parent() {
		for h := range ssawalk.Calls(fn) {
			if calleeName(h) == "Hijack" && (fn != c.Parent() || ssawalk.Reaches(h.Block(), c.Block())) {
				return true
			}
		}
	}
	return false
}
