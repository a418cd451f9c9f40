package wires

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// A message that asks for an answer is a request by another name. NATS gives it headers, of which the deadline is one where the package
// says so.

// asks is the call that sends such a message: its context is the first argument, the message the second.
const asks = "(*github.com/nats-io/nats.go.Conn).RequestMsgWithContext"

// headers is the type of its headers, message that of the message.
const (
	headers = "github.com/nats-io/nats.go.Header"
	message = "github.com/nats-io/nats.go.Msg"
)

// messagesAsked returns the messages of fn that ask for an answer and leave the deadline of their context behind, in a package whose
// others carry it.
func (p *program) messagesAsked(fn *ssa.Function) []Loss {
	if p.entries.OneShot(fn) {
		return nil // it asks once, and ends
	}
	var out []Loss
	for c := range ssawalk.Calls(fn) {
		t, name := p.target(c)
		if name != asks || !p.setsHeaders() {
			continue // nobody on the other side would read it
		}
		ctx, msg := t.Param(0), ssawalk.Source(t.Param(1))
		if !isNewMessage(msg) || !p.limited(ctx) || p.mayHaveHeader(fn, msg) || p.copiesHeaders(fn) {
			continue // made elsewhere; nothing to send; it has the header, or may
		}
		out = append(out, Loss{Kind: "request", Pos: c.Common().Pos(), Call: contexts.DisplayName(t.Obj), Ctx: p.nameOf(fn, ctx)})
	}
	return out
}

// setsHeaders reports whether the package sets the header of a deadline on a message.
func (p *program) setsHeaders() bool {
	for _, fn := range p.funcs {
		for c := range ssawalk.Calls(fn) {
			if _, ok := p.setting(c); ok && onMessage(c) {
				return true
			}
		}
	}
	return false
}

func onMessage(c ssa.CallInstruction) bool {
	recv := ssawalk.Resolve(c).Recv
	return recv != nil && typeset.Name(recv.Type()) == headers
}

// isNewMessage reports whether a message is made in the function that sends it.
func isNewMessage(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Call:
		return ssawalk.CalleeName(v) == "github.com/nats-io/nats.go.NewMsg"
	case *ssa.Alloc:
		return typeset.Name(typeset.Deref(v.Type())) == message
	}
	return false
}

// copiesHeaders reports whether fn may set any header: one whose name is not known, or all at once.
func (p *program) copiesHeaders(fn *ssa.Function) bool {
	for in := range ssawalk.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.MapUpdate:
			if typeset.Name(in.Map.Type()) == headers {
				return true
			}
		case *ssa.Store:
			if typeset.Name(in.Val.Type()) == headers && !ssawalk.IsNil(in.Val) {
				return true
			}
		case ssa.CallInstruction:
			if setters[ssawalk.CalleeName(in)] && onMessage(in) && !namesOthers(ssawalk.Resolve(in).Arg(0)) {
				return true
			}
		}
	}
	return false
}

// namesOthers reports whether the name of a header is known, or one of a list of known ones, and that of no deadline.
func namesOthers(key ssa.Value) bool {
	if name, ok := text(key); ok {
		return !isLimit(name)
	}
	load, ok := ssawalk.Source(key).(*ssa.UnOp)
	if !ok {
		return false
	}
	at, ok := load.X.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	list := contexts.Elements(at.X)
	for _, e := range list {
		if name, ok := text(e); !ok || isLimit(name) {
			return false
		}
	}
	return len(list) > 0
}

// nameOf returns the context of a call as a reader would type it.
func (p *program) nameOf(fn *ssa.Function, ctx ssa.Value) string {
	if param, ok := ssawalk.Source(ctx).(*ssa.Parameter); ok {
		return param.Name()
	}
	if name := p.reach(fn); name != "" && !strings.HasSuffix(name, ".Context()") {
		return name
	}
	return "its context"
}
