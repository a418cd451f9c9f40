package summaries

import (
	"go/types"
	"time"

	"github.com/doneby/doneby/internal/kinds"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// verdict fills in the parts of a verdict.
func (r *Result) verdict(rule, kind string, w Wait, subject string, reach []contexts.Carrier) Verdict {
	v := Verdict{Rule: rule, Kind: kind, Pos: w.Src, Subject: subject, Wait: w.Name, Via: w.Last(), Use: w.Use, For: w.For,
		Path: w.Path, In: w.In, Conn: w.Conn}
	switch {
	case r.entries.TestHelper() && hasTestKind(rule):
		v.Kind = "test"
	case rule != "fixedtimeout" && (kind == "call" || kind == "root") && w.Lookup:
		v.Kind = "lookup"
	case rule == "ctxless" && w.Process:
		v.Kind = "subprocess"
	case rule == "ctxless" && kind == "call" && (r.startsUp(w.In) || opensWith(r.callAt(w.In, w.Src))):
		v.Kind = "startup"
	case rule == "fixedtimeout" && w.Default:
		v.Kind = "default"
	case rule == "fixedtimeout" && w.For > 0 && w.For < short:
		v.Kind = "short"
	}
	if len(reach) > 0 {
		v.Ctx, v.Carrier = reach[0].Expr, reach[0]
	}
	if k, ok := kinds.Lookup(rule, v.Kind); ok && k.Aim == kinds.Gate {
		switch {
		case w.Inside:
			v.Kind = "embedded"
		case rule == "fixedtimeout" && len(reach) > 0 && reach[0].Param != nil && r.dialsForTransport(reach[0].Param.Parent()):
			v.Kind = "dial"
		case rule == "ctxless" && len(reach) > 0 && reach[0].Param != nil && r.dialsForResolver(reach[0].Param.Parent()):
			v.Kind = "lookup"
		case len(reach) > 0 && r.entries.Example():
			v.Kind = "example"
		case len(reach) > 0 && r.ofCommand(rule, reach[0]):
			v.Kind = "command"
		case (rule == "detached" || rule == "fixedtimeout" && kind == "root") && r.explained(v.Pos):
			v.Kind = "spelled"
		case w.Shared && (rule == "detached" || rule == "ctxless"):
			v.Kind = "shared"
		case kind == "default":
			// whosever the context is
		case rule == "ctxless" && w.Readies:
			v.Kind = "prepared" // lib/pq ends it by the context of BeginTx, go-sql-driver/mysql watches only the begin
		case rule == "ctxless" && len(reach) > 0 && r.ofRequest(reach[0]):
			v.Kind = "request"
		}
	}
	return v
}

// hasTestKind reports whether what a rule says of code for tests is a kind of its own.
func hasTestKind(rule string) bool {
	_, ok := kinds.Lookup(rule, "test")
	return ok
}

// ofCommand reports whether a context is that of a command at a terminal: who waits can end it, and it rarely has a deadline.
func (r *Result) ofCommand(rule string, c contexts.Carrier) bool {
	switch rule {
	case "ctxless", "detached", "fixedtimeout":
		return r.entries.CommandLine() && c.Param != nil && !typeset.IsRequest(c.Param.Type())
	}
	return false
}

// carrierType is the type of the parameter that a carrier is, or nil.
func carrierType(c contexts.Carrier) types.Type {
	if c.Param == nil {
		return nil
	}
	return c.Param.Type()
}

// short is a timeout by which nobody overruns a deadline in earnest: the shortest budget in the doctrine, for internal calls,
// is five times as long.
const short = time.Second

// leavesOut reports whether a call is made without the context that its API takes in another form, and is ended late by the timeout that
// the library has for who chooses none.
func leavesOut(w Wait) bool { return w.Default && w.Use != "" && w.For >= lateness }
