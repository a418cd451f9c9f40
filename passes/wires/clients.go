package wires

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// way is how a client treats the deadline of a request.
type way int

const (
	unknown way = iota // its transport is out of sight
	bare               // the standard transport, which sends nothing of it
	carried            // its transport sends it along
)

// and is the way of a client that may be one or the other.
func (w way) and(v way) way {
	if w == v {
		return w
	}
	return unknown
}

// maxDepth bounds the walk from a client to its transport.
const maxDepth = 4

// transport returns how an http.Client treats deadlines, by all that is stored where it is kept.
func (p *program) transport(client ssa.Value, depth int) way {
	if client == nil || depth > maxDepth {
		return unknown
	}
	switch v := ssawalk.Source(client).(type) {
	case *ssa.Alloc:
		return p.madeClient(v)
	case *ssa.UnOp:
		return p.keptClient(v, depth)
	case *ssa.Call:
		return p.returnedClient(v, depth)
	}
	return unknown
}

// keptClient is a client loaded from a variable or a field of this package.
func (p *program) keptClient(load *ssa.UnOp, depth int) way {
	if load.Op != token.MUL {
		return unknown
	}
	if g, ok := load.X.(*ssa.Global); ok {
		if g.Pkg != nil && g.Pkg.Pkg.Path() == "net/http" {
			return p.ofNetHTTP(g)
		}
		return p.joined(p.globals[g], depth)
	}
	f, _ := ssawalk.Field(load)
	if f == nil || f.Pkg() != p.pass.Pkg || f.Exported() {
		return unknown // others may store there
	}
	return p.joined(p.fields[f], depth)
}

// ofNetHTTP is http.DefaultClient, unless the package changes it.
func (p *program) ofNetHTTP(g *ssa.Global) way {
	if len(p.globals[g]) > 0 {
		return unknown
	}
	for other := range p.globals {
		if other.Pkg == g.Pkg {
			return unknown // http.DefaultTransport is another
		}
	}
	return bare
}

func (p *program) joined(stored []ssa.Value, depth int) way {
	if len(stored) == 0 {
		return unknown
	}
	out := p.transport(stored[0], depth+1)
	for _, v := range stored[1:] {
		out = out.and(p.transport(v, depth+1))
	}
	return out
}

func (p *program) returnedClient(c *ssa.Call, depth int) way {
	t, _ := p.target(c)
	if t.Fn == nil {
		return unknown
	}
	var all []ssa.Value
	for ret := range ssawalk.Returns(t.Fn) {
		if len(ret.Results) == 0 {
			return unknown
		}
		all = append(all, ret.Results[0])
	}
	return p.joined(all, depth)
}

// madeClient is a client that is made here: by what is stored as its Transport. One that is given to a function other than its own
// methods may be changed there.
func (p *program) madeClient(a *ssa.Alloc) way {
	out := bare
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			if f, _ := ssawalk.Field(ref); f == nil || f.Name() != "Transport" {
				continue
			}
			for _, use := range *ref.Referrers() {
				if st, ok := use.(*ssa.Store); ok && st.Addr == ref {
					out = p.roundTripper(st.Val)
				}
			}
		case *ssa.Store:
			if ref.Addr == a {
				return unknown // a copy of another
			}
		case ssa.CallInstruction:
			if t, _ := p.target(ref); t.Obj == nil || t.Recv() != ssa.Value(a) {
				return unknown
			}
		}
	}
	return out
}

// roundTripper is what a transport does with the deadline of a request.
func (p *program) roundTripper(v ssa.Value) way {
	v = ssawalk.Source(v)
	if load, ok := v.(*ssa.UnOp); ok {
		if g, ok := load.X.(*ssa.Global); ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "net/http" {
			return bare // http.DefaultTransport
		}
	}
	if c, ok := v.(*ssa.Const); ok && c.IsNil() || typeset.IsPointerTo(v.Type(), "net/http", "Transport") {
		return bare
	}
	m := typeset.Method(v.Type(), "RoundTrip")
	if m == nil || typeset.IsInterfaceMethod(m) {
		return unknown
	}
	if p.carriesFact(m.Origin()) || p.carrying[p.code.Func(m)] {
		return carried
	}
	return unknown // it may hand the request to one that does
}
