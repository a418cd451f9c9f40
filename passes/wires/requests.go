package wires

import (
	"go/token"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/contexts"
)

// requests returns the HTTP requests of fn that leave the deadline of their context behind, in a package that knows how to send it.
func (p *program) requests(fn *ssa.Function) []Loss {
	if !p.knows || p.entries.OneShot(fn) {
		return nil // nobody on the other side would read it; or a program that asks once, and ends
	}
	var out []Loss
	for c := range ssawalk.Calls(fn) {
		t, name := p.target(c)
		if name != "(*net/http.Client).Do" || p.transport(t.Recv(), 0) != bare {
			continue // it carries the deadline, or may
		}
		req := t.Param(0)
		made := p.made(req, 0)
		if made == nil || foreign(made) {
			continue // a request from elsewhere may have the header; a host that the program names is somebody else's
		}
		if !p.limited(req) || p.mayHaveHeader(fn, req) {
			continue // its context has no deadline to send, or the header is set
		}
		out = append(out, Loss{Kind: "request", Pos: c.Common().Pos(), Call: contexts.DisplayName(t.Obj), Ctx: p.contextOf(made)})
	}
	return out
}

// limited reports whether the context of a request comes from a caller or has a timeout: there is a deadline, or may be.
func (p *program) limited(req ssa.Value) bool {
	origins := p.ctx.Origins(req)
	return len(origins) > 0 && !origins.Any(func(o contexts.Origin) bool { return !o.Inherited() && !o.Bound.Own })
}

// made returns the call that made a request in sight, through WithContext and own functions that carry nothing, or nil.
func (p *program) made(req ssa.Value, depth int) *ssa.Call {
	v := ssawalk.Source(req)
	if ex, ok := v.(*ssa.Extract); ok {
		v = ex.Tuple
	}
	c, ok := v.(*ssa.Call)
	if !ok || depth > maxDepth {
		return nil
	}
	t, name := p.target(c)
	switch {
	case name == "net/http.NewRequestWithContext", name == "net/http.NewRequest":
		return c
	case name == "(*net/http.Request).WithContext":
		return p.made(t.Recv(), depth+1)
	case t.Fn == nil || p.carrying[t.Fn]:
		return nil
	}
	var out *ssa.Call
	for ret := range ssawalk.Returns(t.Fn) {
		if len(ret.Results) == 0 || ssawalk.IsNil(ret.Results[0]) {
			continue
		}
		if out = p.made(ret.Results[0], depth+1); out == nil || p.mayHaveHeader(t.Fn, ret.Results[0]) {
			return nil
		}
	}
	return out
}

// contextOf returns the name of the context with which a request is made, as the source has it.
func (p *program) contextOf(made *ssa.Call) string {
	if name := p.reach(made.Parent()); name != "" {
		return name
	}
	return "its context"
}

// outward matches calls that write a request down or send it, and change nothing in it.
var outward = regexp.MustCompile(`^\(\*net/http\.(?:Client|Request)\)\.|^net/http/httputil\.Dump|^\(\*github\.com/nats-io/nats\.go\.Conn\)\.`)

// mayHaveHeader reports whether fn, or a function in it, sets the header of a deadline on something, or gives the request to who may.
func (p *program) mayHaveHeader(fn *ssa.Function, req ssa.Value) bool {
	req = ssawalk.Source(req)
	for in := range ssawalk.Instrs(fn) {
		if _, ok := p.setting(in); ok {
			return true
		}
		switch in := in.(type) {
		case *ssa.MakeClosure:
			if p.mayHaveHeader(in.Fn.(*ssa.Function), req) {
				return true
			}
		case ssa.CallInstruction:
			t, name := p.target(in)
			if !p.givenRequest(in, req) || outward.MatchString(name) {
				continue
			}
			if t.Fn == nil || p.carrying[t.Fn] {
				return true
			}
		}
	}
	return false
}

// givenRequest reports whether a call is given the request, or its header.
func (p *program) givenRequest(c ssa.CallInstruction, req ssa.Value) bool {
	args := c.Common().Args
	if c.Common().IsInvoke() {
		args = append([]ssa.Value{c.Common().Value}, args...)
	}
	for i, a := range args {
		if a = ssawalk.Source(a); a == req {
			return true
		}
		f, of := ssawalk.Field(a)
		if f != nil && f.Name() == "Header" && ssawalk.Source(of) == req && i > 0 {
			return true // as an argument: its own methods set what they name
		}
	}
	return false
}

// foreign reports whether a request goes to a host that the program names: another's API does not read our headers.
func foreign(made *ssa.Call) bool {
	args := ssawalk.Resolve(made).Args
	for _, a := range args {
		if !typeset.IsText(a.Type()) {
			continue
		}
		if url, ok := text(leftmost(a)); ok && strings.Contains(url, "://") {
			host, _, _ := strings.Cut(url[strings.Index(url, "://")+3:], "/")
			host, _, _ = strings.Cut(host, ":")
			return strings.Contains(host, ".") && !strings.HasPrefix(host, "127.") && !strings.HasSuffix(host, ".local") && !strings.HasSuffix(host, ".internal")
		}
	}
	return false
}

// leftmost returns what a text begins with: of a sum its first part, of a format the format.
func leftmost(v ssa.Value) ssa.Value {
	for range maxDepth {
		switch x := ssawalk.Source(v).(type) {
		case *ssa.BinOp:
			if x.Op != token.ADD {
				return x
			}
			v = x.X
		case *ssa.Call:
			if ssawalk.CalleeName(x) != "fmt.Sprintf" {
				return x
			}
			v = x.Call.Args[0]
		default:
			return x
		}
	}
	return v
}

// waits reports whether a call waits for something outside, under a context or without one: by the tables, or since it is given a
// context and can fail, as a call of an interface or a function value that nobody can tell.
func (p *program) waits(c ssa.CallInstruction) bool {
	t, _ := p.target(c)
	if row, ok := p.ctx.Row(t.Obj); ok {
		return row.Verb == knowledge.Waits && !row.Local && !row.Meant
	}
	if t.Fn != nil || t.Obj != nil && !typeset.IsInterfaceMethod(t.Obj) {
		return false // an own function is looked into; of another package nobody knows
	}
	sig := c.Common().Signature()
	return typeset.ContextParam(sig) >= 0 && typeset.ReturnsError(sig)
}
