package summaries

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// redials reports whether a wait is a bare TCP connect that is tried again and again, or in a goroutine that nobody waits for: the system
// gives an attempt up by itself, after about two minutes (tcp(7), tcp_syn_retries), and nobody is kept waiting for one. An http.Transport
// dials in a goroutine of its own, and its request ends by its own context (golang/go net/http transport.go, getConn).
func (r *Result) redials(w Wait) bool {
	if !onlyConnects(w.Name) {
		return false
	}
	at := r.callAt(w.In, w.Src)
	return at != nil && (r.flow.loose(w.In) || r.dialsForTransport(w.In) || inLoop(at.Block()) || r.triedAgain(w.In))
}

// onlyConnects reports whether a call of that name connects by TCP and does no more: no handshake or greeting, which nothing ends.
func onlyConnects(name string) bool {
	switch name {
	case "net.Dial", "net.DialTCP", "(*net.Dialer).Dial", "rpc.Dial":
		return true
	}
	return false
}

// triedAgain reports whether fn is only ever called in loops, as far as is in sight.
func (r *Result) triedAgain(fn *ssa.Function) bool {
	callers := r.callers[fn]
	if obj := fn.Object(); len(callers) == 0 || obj != nil && obj.Exported() {
		return false
	}
	return !slices.ContainsFunc(callers, func(s site) bool { return !inLoop(s.in.Block()) })
}
