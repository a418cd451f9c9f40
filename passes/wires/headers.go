package wires

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/durations"
)

// getters take a header or a parameter off a request, by its name.
var getters = map[string]bool{
	"(net/http.Header).Get": true, "(net/http.Header).Values": true, "(net/textproto.MIMEHeader).Get": true, "(net/url.Values).Get": true,
	"(*net/http.Request).FormValue": true, "(*net/http.Request).PostFormValue": true,
	"(google.golang.org/grpc/metadata.MD).Get": true, "google.golang.org/grpc/metadata.ValueFromIncomingContext": true,
	"(github.com/nats-io/nats.go.Header).Get":       true,
	"(*github.com/gin-gonic/gin.Context).GetHeader": true, "(*github.com/gin-gonic/gin.Context).Query": true,
	"(github.com/labstack/echo/v4.Context).QueryParam": true, "(*github.com/gofiber/fiber/v2.Ctx).Get": true,
}

// reading returns the name of the deadline that a value was taken off the wire as: "header X-Deadline-Ms", or "".
func (p *program) reading(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Call:
		t, name := p.target(v)
		if !getters[name] || p.answers(t.Recv()) || len(t.Args) == 0 {
			return ""
		}
		key, ok := text(t.Args[len(t.Args)-1])
		if !ok || !isLimit(key) {
			return ""
		}
		if strings.Contains(name, "Form") || strings.Contains(name, "Query") || strings.Contains(name, "url.Values") {
			return "parameter " + key
		}
		return "header " + key
	case *ssa.Lookup:
		if name := typeset.Name(v.X.Type()); name != "net/http.Header" && name != "google.golang.org/grpc/metadata.MD" {
			return ""
		}
		if key, ok := text(v.Index); ok && isLimit(key) {
			return "header " + key
		}
	}
	return ""
}

// headersRead returns the headers and parameters that are read as a deadline and end nothing. One that somebody in the package
// applies is only looked at elsewhere.
func (p *program) headersRead() []Loss {
	var out []Loss
	applied := map[string]bool{}
	for _, fn := range p.funcs {
		for in := range ssawalk.Instrs(fn) {
			v, ok := in.(ssa.Value)
			if !ok {
				continue
			}
			name := p.reading(v)
			if name == "" {
				continue
			}
			f := &flow{p: p, seen: map[ssa.Value]bool{}}
			if f.value(v) {
				applied[name] = true
				continue
			}
			if len(f.at) == 0 {
				f.at = []ssa.Instruction{in}
			}
			for _, at := range f.at {
				if !p.mayElse(fn) && !p.mayElse(at.Parent()) {
					out = append(out, Loss{Kind: "unapplied", Pos: at.Pos(), Name: name})
				}
			}
		}
	}
	kept := out[:0]
	for _, l := range out {
		if !applied[l.Name] {
			kept = append(kept, l)
		}
	}
	return kept
}

// mayElse reports whether a function sets the header of a deadline, and only asks whether it is there, or passes the whole on.
func (p *program) mayElse(fn *ssa.Function) bool {
	outer := ssawalk.Outermost(fn)
	return p.sets(outer) || p.passesOn(outer)
}

// sets reports whether a function, or one in it, sets the header of a deadline.
func (p *program) sets(fn *ssa.Function) bool {
	for in := range ssawalk.Instrs(fn) {
		if _, ok := p.setting(in); ok {
			return true
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, p.sets)
}

// passesOn reports whether a function gives the whole of a request, or its header, to code out of sight, which may apply what this
// one only looks at: a middleware, a proxy.
func (p *program) passesOn(fn *ssa.Function) bool {
	for _, lit := range fn.AnonFuncs {
		if p.passesOn(lit) {
			return true
		}
	}
	for c := range ssawalk.Calls(fn) {
		t, name := p.target(c)
		if t.Fn != nil || t.Obj != nil && t.Obj.Pkg() != nil && t.Obj.Pkg().Path() == "net/http" && !typeset.IsInterfaceMethod(t.Obj) {
			continue // looked into; or the standard library, which applies none
		}
		if strings.HasSuffix(name, ".Next") {
			return true // a framework's middleware
		}
		for _, a := range c.Common().Args {
			if a = ssawalk.Strip(a); typeset.IsRequest(a.Type()) || typeset.Is(a.Type(), "net/http", "Header") || p.ctx.Carries(a.Type()) && !typeset.IsContext(a.Type()) {
				return true
			}
		}
	}
	return false
}

// headersSet returns the headers that say a constant time although a context is in reach: it may have less left.
func (p *program) headersSet(fn *ssa.Function) []Loss {
	ctx := p.reach(fn)
	if ctx == "" {
		return nil // nothing to send
	}
	var out []Loss
	for in := range ssawalk.Instrs(fn) {
		c, isCall := ssawalk.AsCall(in)
		set, ok := p.setting(in)
		if !ok || !isCall || !p.constant(set.value, 0) {
			continue
		}
		if s, ok := text(set.value); ok && s == "" {
			continue // taken away
		}
		out = append(out, Loss{Kind: "constant", Pos: c.Common().Pos(), Name: "header " + set.name, Call: p.said(set.value), Ctx: ctx})
	}
	return out
}

// constant reports whether a value is made of constants alone, or of them and the clock.
func (p *program) constant(v ssa.Value, depth int) bool {
	if v == nil || depth > 2*maxDepth {
		return false
	}
	switch v := ssawalk.Source(v).(type) {
	case *ssa.Const:
		return v.Value != nil
	case *ssa.BinOp:
		return p.constant(v.X, depth+1) && p.constant(v.Y, depth+1)
	case *ssa.Call:
		if _, known := p.lengths.Of(v); known {
			return true
		}
		t, name := p.target(v)
		if name == "time.Now" {
			return true
		}
		if !plain.MatchString(name) && name != "(time.Time).Add" || len(t.Args) == 0 {
			return false
		}
		for _, a := range t.Args {
			if !p.constant(a, depth+1) {
				return false
			}
		}
		return true
	case *ssa.Slice:
		return p.constantElements(v, depth)
	default:
		if !isNumber(v.Type()) {
			return false
		}
		_, known := p.lengths.Of(v)
		return known
	}
}

// constantElements is the arguments of a variadic call.
func (p *program) constantElements(s *ssa.Slice, depth int) bool {
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	any := false
	for _, ref := range *a.Referrers() {
		at, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *at.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok || !p.constant(st.Val, depth+1) {
				return false
			}
			any = true
		}
	}
	return any
}

// said returns the constant as a message shows it.
func (p *program) said(v ssa.Value) string {
	v = ssawalk.Source(v)
	if s, ok := text(v); ok {
		return s
	}
	c, ok := v.(*ssa.Call)
	if !ok {
		return "a constant time"
	}
	t, name := p.target(c)
	if name == "(time.Duration).String" {
		if d, ok := p.lengths.Of(t.Recv()); ok {
			return durations.Text(d)
		}
	}
	return "a constant time"
}
