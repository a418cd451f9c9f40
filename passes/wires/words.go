package wires

import (
	"go/types"
	"slices"
	"strings"

	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/internal/words"
)

// otherwise are words beside which a timeout is none of the request's: that of a session, a connection, a lock.
var otherwise = []string{
	"idle", "session", "lock", "keep", "alive", "keepalive", "lease", "visibility", "heartbeat", "cache", "login", "token", "cookie", "read", "write",
	"dial", "handshake", "connect", "connection", "conn", "exceeded", "expired", "error", "count", "policy", "reason", "default", "max", "min", "unit", "poll", "linger", "shutdown",
}

// known are names of headers that would be taken for something else by their words.
var known = []string{"connect-timeout-ms", "x-envoy-expected-rq-timeout-ms", "x-kitex-rpc-timeout", "server-timeout", "request-timeout"}

// isLimit reports whether the name of a header or parameter says that its value is how long, or until when, the request is of use:
// X-Deadline-Ms, grpc-timeout, Connect-Timeout-Ms, X-Time-Left, timeout.
func isLimit(name string) bool {
	ws := words.Of(name)
	has := func(w string) bool { return slices.Contains(ws, w) }
	switch {
	case slices.Contains(known, strings.ToLower(name)):
		return true
	case slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(otherwise, w) }):
		return false
	}
	return has("deadline") || has("timeout") || has("timeleft") || has("time") && (has("left") || has("remaining")) || has("budget") && has("ms")
}

// messages are words by which the name of a type says that its values are work that somebody asks for.
var messages = []string{
	"request", "req", "message", "msg", "job", "task", "call", "command", "cmd", "event", "envelope", "packet", "frame", "invocation", "rpc", "query", "work",
}

// isMessage reports whether the name of a type says that its values are work that somebody asks for.
func isMessage(t types.Type) bool {
	n := typeset.Named(t)
	return n != nil && slices.ContainsFunc(words.Of(n.Obj().Name()), func(w string) bool { return slices.Contains(messages, w) })
}

// limitsOf returns the fields of a message that say until when, or how long, it is of use, in a form that another machine may have
// sent: a number, a text, or an instant in a struct that a decoder fills. A deadline of another kind of thing, such as the expiry
// of a token, is none.
func limitsOf(t types.Type) []*types.Var {
	st, ok := typeset.Deref(t).Underlying().(*types.Struct)
	if !ok || !isMessage(t) {
		return nil
	}
	var out []*types.Var
	for i := range st.NumFields() {
		f := st.Field(i).Origin()
		if typeset.IsContext(f.Type()) {
			return nil // its context has the deadline
		}
		if limitField(f.Name()) && (isNumber(f.Type()) || typeset.IsText(f.Type()) || isStamp(f.Type()) || typeset.IsTime(typeset.Deref(f.Type())) && st.Tag(i) != "") {
			out = append(out, f)
		}
	}
	return out
}

// limitField is isLimit for fields, where an expiry means the message too.
func limitField(name string) bool {
	ws := words.Of(name)
	if isLimit(name) {
		return true
	}
	if len(ws) > 2 {
		return false // TokenExpiresAt: of something that it brings along
	}
	return slices.ContainsFunc(ws, func(w string) bool {
		return w == "expiry" || w == "expires" || w == "expire" || w == "expiration"
	}) && !slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(otherwise, w) })
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

// isStamp reports whether t is an instant of protobuf.
func isStamp(t types.Type) bool {
	return typeset.IsPointerTo(t, "google.golang.org/protobuf/types/known/timestamppb", "Timestamp")
}

// fieldName is a field as a message says it.
func fieldName(t types.Type, f *types.Var) string {
	return "field " + f.Name() + " of " + typeset.Named(t).Obj().Name()
}
