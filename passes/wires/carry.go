package wires

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// spread finds the functions of the package that carry the deadline of a context, until there are no more.
func (p *program) spread() {
	for grown := true; grown; {
		grown = false
		for _, fn := range p.funcs {
			if !p.carrying[fn] && p.carriesIn(fn) {
				p.carrying[fn], grown = true, true
				for f := fn.Parent(); f != nil; f = f.Parent() {
					p.carrying[f] = true // what a function makes, it lets somebody call
				}
			}
		}
	}
}

func (p *program) export() {
	for _, fn := range p.funcs {
		if obj, ok := fn.Object().(*types.Func); ok && typeset.Exported(obj) && p.carrying[fn] {
			p.pass.ExportObjectFact(obj, new(carries))
		}
	}
}

// carriesIn reports whether fn sets a header that is a deadline, or calls what carries.
func (p *program) carriesIn(fn *ssa.Function) bool {
	for in := range ssawalk.Instrs(fn) {
		if set, ok := p.setting(in); ok && !p.constant(set.value, 0) {
			return true
		}
		c, ok := ssawalk.AsCall(in)
		if !ok {
			continue
		}
		t, name := p.target(c)
		switch {
		case t.Fn != nil && p.carrying[t.Fn], p.carriesFact(t.Obj):
			return true
		case name == "(*net/http.Client).Do" && p.transport(t.Recv(), 0) == carried:
			return true
		}
	}
	return false
}

// carriesFact reports whether a function of another package carries.
func (p *program) carriesFact(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == p.pass.Pkg {
		return false
	}
	return fn.Pkg().Path() == runtimePackage && fn.Name() == "RoundTrip" || p.pass.ImportObjectFact(fn, new(carries))
}

// setting is a header that is set.
type setting struct {
	name  string
	value ssa.Value
}

// setting returns the header of a deadline that an instruction sets on what goes out.
func (p *program) setting(in ssa.Instruction) (setting, bool) {
	switch in := in.(type) {
	case *ssa.MapUpdate:
		if name := typeset.Name(in.Map.Type()); name != "net/http.Header" && name != "google.golang.org/grpc/metadata.MD" {
			return setting{}, false
		}
		key, ok := text(in.Key)
		return setting{key, in.Value}, ok && isLimit(key)
	case ssa.CallInstruction:
		t, name := p.target(in)
		if !setters[name] {
			return setting{}, false
		}
		key, ok := text(t.Param(0))
		return setting{key, t.Param(1)}, ok && isLimit(key) && !p.answers(t.Recv())
	}
	return setting{}, false
}

// setters set a header: its name and its value are the arguments.
var setters = map[string]bool{
	"(net/http.Header).Set": true, "(net/http.Header).Add": true, "(net/textproto.MIMEHeader).Set": true, "(net/textproto.MIMEHeader).Add": true,
	"(google.golang.org/grpc/metadata.MD).Set": true, "(google.golang.org/grpc/metadata.MD).Append": true,
	"(github.com/nats-io/nats.go.Header).Set": true, "(github.com/nats-io/nats.go.Header).Add": true,
}

// answers reports whether a header is that of an answer.
func (p *program) answers(h ssa.Value) bool {
	switch h := ssawalk.Source(h).(type) {
	case *ssa.Call:
		return strings.HasSuffix(ssawalk.CalleeName(h), ".ResponseWriter).Header")
	case *ssa.UnOp:
		_, of := ssawalk.Field(h)
		return of != nil && typeset.Is(typeset.Deref(of.Type()), "net/http", "Response")
	}
	return false
}

// text returns the constant text that v is.
func text(v ssa.Value) (string, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || !typeset.IsText(c.Type()) {
		return "", false
	}
	s := c.Value.ExactString()
	return strings.Trim(s, `"`), true
}
