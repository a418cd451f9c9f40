package summaries

import (
	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// incoming reports whether a call reads what the sender of a request has still to send: its form, its body.
func incoming(t contexts.Target) bool {
	return t.Recv() != nil && typeset.IsRequest(t.Recv().Type())
}

// ownRequest reports whether v is a request that the program makes itself, to send it, sign it or hand it to a handler of its own: what is
// in it is there already.
func ownRequest(v ssa.Value) bool {
	x, ok := ssawalk.Source(v).(*ssa.Extract)
	if !ok {
		return false
	}
	made, ok := x.Tuple.(*ssa.Call)
	return ok && (calledIs(made, "net/http.NewRequest") || calledIs(made, "net/http.NewRequestWithContext"))
}

// gives returns what a call gives for a parameter of the function that it calls, or nil.
func gives(t contexts.Target, p *ssa.Parameter) ssa.Value {
	if t.Fn == nil {
		return nil
	}
	i := paramIndex(t.Fn, p)
	if i < 0 || i >= len(t.Args) {
		return nil
	}
	return t.Args[i]
}
