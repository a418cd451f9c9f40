package wires

import (
	"go/token"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/contexts"
)

// decoders match the names of functions that fill a message from the wire, which is their last argument.
var decoders = regexp.MustCompile(`^(?:Unmarshal|Decode|DecodeMessage|Bind|BindJSON|ShouldBind|ShouldBindJSON|BodyParser)$`)

// messagesIn returns the work of fn for a message that says until when it is of use, which nobody reads, or nobody applies. It is
// a loss where the message is taken off the wire, or off the channel that it came through.
func (p *program) messagesIn(fn *ssa.Function) []Loss {
	var out []Loss
	for _, m := range p.taken(fn) {
		limits := limitsOf(m.Type())
		if len(limits) == 0 || !p.ignored(limits) {
			continue // it has no deadline; or somebody looks at it
		}
		w := &work{p: p, seen: map[ssa.Value]bool{}, sites: map[*ssa.Function]ssa.Instruction{}}
		w.whole(m)
		call := w.first()
		if call == nil {
			continue // it is kept, sent on, or given to who may look; or nothing here waits
		}
		l := Loss{Kind: "unread", Pos: call.Common().Pos(), Name: fieldName(m.Type(), limits[0]), Call: p.callName(call)}
		if at := p.firstRead(limits); at.IsValid() {
			l.Kind, l.Also = "unapplied", []Place{{at, "read here"}}
		}
		out = append(out, l)
	}
	return out
}

// taken returns the messages that fn receives from a channel or decodes.
func (p *program) taken(fn *ssa.Function) []ssa.Value {
	var out []ssa.Value
	for in := range ssawalk.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.UnOp:
			if in.Op == token.ARROW && !in.CommaOk {
				out = append(out, in)
			}
		case *ssa.Extract:
			if isReceive(in) {
				out = append(out, in)
			}
		case ssa.CallInstruction:
			if t, _ := p.target(in); t.Obj != nil && decoders.MatchString(t.Obj.Name()) {
				args := in.Common().Args
				if len(args) == 0 {
					continue // what it decodes into is its own
				}
				if a, ok := ssawalk.Strip(args[len(args)-1]).(*ssa.Alloc); ok {
					out = append(out, a)
				}
			}
		}
	}
	return out
}

// isReceive reports whether v is what a receive or a select brings.
func isReceive(v *ssa.Extract) bool {
	switch t := v.Tuple.(type) {
	case *ssa.UnOp:
		return t.Op == token.ARROW && v.Index == 0
	case *ssa.Select:
		return v.Index >= 2
	}
	return false
}

// ignored reports whether all that is read of the fields has no effect.
func (p *program) ignored(limits []*types.Var) bool {
	for _, f := range limits {
		for _, v := range p.reads[f] {
			if p.matters(v) {
				return false
			}
		}
	}
	return true
}

func (p *program) firstRead(limits []*types.Var) token.Pos {
	for _, f := range limits {
		for _, v := range p.reads[f] {
			return v.Pos()
		}
	}
	return token.NoPos
}

// callName is what a call calls, as a reader knows it.
func (p *program) callName(c ssa.CallInstruction) string {
	if t, _ := p.target(c); t.Obj != nil {
		return contexts.DisplayName(t.Obj)
	}
	if f, _ := ssawalk.Field(c.Common().Value); f != nil {
		return f.Name()
	}
	if name := c.Common().Value.Name(); name != "" && c.Common().StaticCallee() == nil {
		if _, ok := c.Common().Value.(*ssa.Parameter); ok {
			return name
		}
	}
	return "the function"
}

// written matches the names of functions that write a message down or send it.
var written = regexp.MustCompile(`^(?:Marshal|MarshalIndent|Encode|EncodeMessage|Publish|PublishMsg|Send|SendMsg|Produce|Enqueue|Invoke|Call|Request)$`)

// messagesOut returns the messages that fn makes without the deadline of the context in reach, although they have a field for it
// that somebody in the package sets or reads.
func (p *program) messagesOut(fn *ssa.Function) []Loss {
	ctx := p.reach(fn)
	if ctx == "" {
		return nil // nothing to send
	}
	var out []Loss
	for c := range ssawalk.Calls(fn) {
		t, _ := p.target(c)
		if t.Obj == nil || !written.MatchString(t.Obj.Name()) || t.Fn != nil {
			continue // not sent; or by an own function, which may fill it
		}
		for _, a := range t.Args {
			if a == nil {
				continue
			}
			m, ok := ssawalk.Strip(a).(*ssa.Alloc)
			if !ok {
				if load, isLoad := ssawalk.Strip(a).(*ssa.UnOp); isLoad {
					m, ok = load.X.(*ssa.Alloc)
				}
			}
			if !ok || !p.emptyLimit(m, c) {
				continue
			}
			if limits := limitsOf(m.Type()); len(limits) > 0 {
				out = append(out, Loss{Kind: "message", Pos: c.Common().Pos(), Name: fieldName(m.Type(), limits[0]), Call: contexts.DisplayName(t.Obj), Ctx: ctx})
			}
		}
	}
	return out
}

// emptyLimit reports whether a message made here surely goes out with none of its deadlines set, though others set or read them.
func (p *program) emptyLimit(m *ssa.Alloc, sent ssa.CallInstruction) bool {
	limits := limitsOf(m.Type())
	meant := false
	for _, f := range limits {
		meant = meant || len(p.fields[f]) > 0 || !p.ignored([]*types.Var{f})
	}
	if !meant {
		return false // the field is nobody's
	}
	for _, ref := range *m.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			if f, _ := ssawalk.Field(ref); f != nil && contains(limits, f) {
				return false // set here
			}
		case *ssa.UnOp, *ssa.DebugRef, *ssa.MakeInterface:
		case ssa.CallInstruction:
			if ref != sent {
				return false // it may be filled there
			}
		default:
			return false // a copy, or it is kept
		}
	}
	return true
}

func contains(fields []*types.Var, f *types.Var) bool {
	for _, x := range fields {
		if x == f {
			return true
		}
	}
	return false
}
